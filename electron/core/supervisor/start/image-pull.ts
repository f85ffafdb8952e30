/** Maximum characters of an unfinished line that are kept. */
const MAX_LINE = 1000;
/** Maximum layers of an image that are counted; engines allow 127. */
const MAX_LAYERS = 1000;

const BEGINS = ['Unable to find image ', 'Trying to pull '];
const ENDS = ['Status: ', 'Writing manifest '];
const COPIED_BLOB = 'Copying blob ';

/** Follows the pull of an image in what the client of an engine (docker, podman) writes to stderr before it starts a container. */
export class ImagePull {
  readonly #image: string;
  /** Layers by id, with whether each is in place. */
  readonly #layers = new Map<string, boolean>();
  #line = '';
  #isPulling = false;

  constructor(image: string) {
    this.#image = image;
  }

  get isPulling(): boolean {
    return this.#isPulling;
  }

  /** State of the pull, such as "pulling mcp/github: layer 3 of 7"; undefined while nothing is pulled. */
  get words(): string | undefined {
    if (!this.#isPulling) return undefined;
    const total = this.#layers.size;
    const done = [...this.#layers.values()].filter((isDone) => isDone).length;
    return `pulling ${this.#image}${total === 0 ? '' : `: layer ${Math.min(done + 1, total)} of ${total}`}`;
  }

  /** Takes a part of stderr. @returns whether `words` has changed */
  take(part: Buffer): boolean {
    const before = this.words;
    const lines = `${this.#line}${part.toString('utf8')}`.split('\n');
    this.#line = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) this.#read(line);
    return this.words !== before;
  }

  #read(line: string): void {
    if (BEGINS.some((words) => line.startsWith(words))) this.#isPulling = true;
    else if (!this.#isPulling) return;
    else if (ENDS.some((words) => line.startsWith(words))) this.#isPulling = false;
    else if (line.startsWith(COPIED_BLOB))
      this.#note(line.slice(COPIED_BLOB.length).split(' ')[0] ?? '', false);
    else this.#readLayer(line);
  }

  /** Reads docker's lines `ID: Pulling fs layer`, `ID: Pull complete`. */
  #readLayer(line: string): void {
    const [id = '', state = ''] = line.split(': ', 2);
    if (state === 'Pulling fs layer') this.#note(id, false);
    else if (state === 'Pull complete' || state === 'Already exists') this.#note(id, true);
  }

  #note(id: string, isDone: boolean): void {
    if (this.#layers.has(id) || this.#layers.size < MAX_LAYERS) this.#layers.set(id, isDone);
  }
}
