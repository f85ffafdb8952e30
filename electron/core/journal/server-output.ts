import type { OutputLine } from '../../../shared/domain.ts';
import type { WallClock } from '../clock.ts';
import { mapInTurns } from '../map-in-turns.ts';
import { LineSplitter } from './line-splitter.ts';
import type { OutputFile } from './output-file.ts';
import { cutLine, OutputLog, shownTail } from './output-log.ts';

export interface ServerOutputOptions {
  readonly wallClock: WallClock;
  /** Applied to each line before it is kept anywhere. */
  readonly redact?: (line: string) => string;
  /** Where lines are kept on disk, too. */
  readonly file?: OutputFile;
}

const MAX_LINE_CHARACTERS = 16 * 1024;

/** What one server writes to stderr, over its runs: cut into lines, blacked out, in memory for the window and on disk. */
export class ServerOutput {
  readonly #log: OutputLog;
  readonly #file: OutputFile | undefined;
  readonly #redact: (line: string) => string;
  readonly #splitter = new LineSplitter({
    maxCharacters: MAX_LINE_CHARACTERS,
    onLine: (line) => this.#add(line),
    redact: (text) => this.#redact(text),
  });

  constructor({ wallClock, redact = (line) => line, file }: ServerOutputOptions) {
    this.#log = new OutputLog(wallClock);
    this.#file = file;
    this.#redact = redact;
  }

  /** A new run begins: what follows is its output. */
  begin(generation: number): void {
    this.#splitter.finish();
    this.#log.begin(generation);
    this.#file?.begin(generation);
  }

  append(chunk: Buffer): void {
    this.#splitter.append(chunk);
  }

  /** Lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.#log.since(afterId);
  }

  /**
   * What earlier launches left on disk, as far as it is worth reading, oldest first. Ids end at 0, before those of this
   * launch. The lines are blacked out once more, because what is secret now need not have been known for one then.
   */
  async earlier(): Promise<readonly OutputLine[]> {
    const lines = (await this.#file?.earlier()) ?? [];
    const charactersOf = (line: { readonly text: string }) => line.text.length;
    return mapInTurns(lines, charactersOf, (line, index) => ({
      ...line,
      id: index + 1 - lines.length,
      text: cutLine(this.#redact(line.text)),
    }));
  }

  /** The last lines of the current run, an unfinished one too, as they are shown; empty when it wrote nothing. */
  tail(): string {
    return shownTail(this.recent());
  }

  /** The last 200 lines of the current run, for whoever looks for a cause in them. */
  recent(): string {
    return this.#log.recent(this.#redact(this.#splitter.partial));
  }

  /** Ends the output: an unfinished line counts as a whole one. */
  finish(): void {
    this.#splitter.finish();
  }

  #add(line: string): void {
    const text = this.#redact(line);
    this.#log.add(text);
    this.#file?.add(text);
  }
}
