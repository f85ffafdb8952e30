/** Maximum characters of an unfinished line that are kept. */
const MAX_LINE = 1000;
/** Maximum layers of an image that are counted; engines allow 127. */
const MAX_LAYERS = 1000;
const BYTES_PER_MB = 1e6;

const BEGINS = ['Unable to find image ', 'Trying to pull '];
const ENDS = ['Status: ', 'Writing manifest '];
const COPIED_BLOB = 'Copying blob ';

interface PullReport {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly progressDetail?: { readonly current?: number | undefined } | undefined;
}

interface Layer {
  isDone: boolean;
  bytes: number;
}

/** Follows the pull of an image in a client's stderr, or in the reports of an engine's API, which also give numbers of bytes. */
export class ImagePull {
  readonly #image: string;
  readonly #layers = new Map<string, Layer>();
  #line = '';
  #isPulling = false;

  constructor(image: string) {
    this.#image = image;
  }

  get isPulling(): boolean {
    return this.#isPulling;
  }

  /** State of the pull, such as "pulling mcp/github: layer 3 of 7, 120 MB"; undefined while nothing is pulled. */
  get words(): string | undefined {
    if (!this.#isPulling) return undefined;
    const layers = [...this.#layers.values()];
    const total = layers.length;
    const done = layers.filter(({ isDone }) => isDone).length;
    const megabytes = Math.floor(layers.reduce((sum, { bytes }) => sum + bytes, 0) / BYTES_PER_MB);
    const which = total === 0 ? '' : `: layer ${Math.min(done + 1, total)} of ${total}`;
    return `pulling ${this.#image}${which}${megabytes === 0 ? '' : `, ${megabytes} MB`}`;
  }

  report({ id, status = '', progressDetail }: PullReport): void {
    this.#isPulling = true;
    if (id === undefined) return;
    this.#readLayer(id, status);
    const layer = this.#layers.get(id);
    // Only download reports are used, because the byte count starts again from 0 when the layer is extracted.
    if (layer && status === 'Downloading') layer.bytes = progressDetail?.current ?? layer.bytes;
  }

  /** Processes a part of stderr. @returns whether `words` has changed */
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
    else {
      const [id = '', state = ''] = line.split(': ', 2);
      this.#readLayer(id, state);
    }
  }

  /** Reads docker's states of a layer: `Pulling fs layer`, `Pull complete`. */
  #readLayer(id: string, state: string): void {
    if (state === 'Pulling fs layer') this.#note(id, false);
    else if (state === 'Pull complete' || state === 'Already exists') this.#note(id, true);
  }

  #note(id: string, isDone: boolean): void {
    const layer = this.#layers.get(id);
    if (layer) layer.isDone = isDone;
    else if (this.#layers.size < MAX_LAYERS) this.#layers.set(id, { isDone, bytes: 0 });
  }
}
