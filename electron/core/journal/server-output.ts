import type { OutputLine } from '../../../shared/domain.ts';
import type { LogLevel } from '../../../shared/log-kinds.ts';
import type { SecretSpan } from '../../../shared/secrets/known-forms.ts';
import type { WallClock } from '../clock.ts';
import type { KeptLine, KeptSource } from './line-form.ts';
import type { LinesInMemory } from './line-ring.ts';
import { LineSplitter } from './line-splitter.ts';
import { LineTimes } from './line-times.ts';
import type { OutputFile } from './output-file.ts';
import { OutputLog, shownTail } from './output-log.ts';
import { SaidLines } from './said-lines.ts';

export interface ServerOutputOptions {
  readonly wallClock: WallClock;
  /** Applied to each line before it is kept anywhere. */
  readonly redact?: (line: string) => string;
  /** Where a line holds secrets. Default: nowhere. */
  readonly secretsIn?: (text: string) => readonly SecretSpan[];
  /** Where lines are kept on disk, too. */
  readonly file?: OutputFile;
  /** Shared by all whose lines stand on one time axis. Default: its own. */
  readonly times?: LineTimes;
}

const MAX_LINE_CHARACTERS = 16 * 1024;

/**
 * What one server says beside its answers, over its runs: what it writes to stderr, cut into lines, its log messages, and what
 * it sent that is no message. Blacked out, in memory for the window and on disk.
 */
export class ServerOutput {
  readonly #log = new OutputLog();
  readonly #said: SaidLines;
  readonly #file: OutputFile | undefined;
  readonly #redact: (line: string) => string;
  readonly #times: LineTimes;
  readonly #splitter: LineSplitter;
  #generation = 0;

  constructor({
    wallClock,
    redact = (line) => line,
    secretsIn = () => [],
    file,
    times = new LineTimes(wallClock),
  }: ServerOutputOptions) {
    this.#file = file;
    this.#redact = redact;
    this.#times = times;
    this.#splitter = new LineSplitter({
      maxCharacters: MAX_LINE_CHARACTERS,
      onLine: (line) => this.#add(line),
      secretsIn,
    });
    this.#said = new SaidLines({ wallClock, redact, onLine: (line) => this.#keepSaid(line) });
  }

  /** Run that the lines belong to now. */
  get generation(): number {
    return this.#generation;
  }

  /** A new run begins: what follows is its output. */
  begin(generation: number): void {
    this.#splitter.finish();
    this.#said.tellLoss();
    this.#generation = generation;
    this.#file?.begin(generation);
  }

  append(chunk: Buffer): void {
    this.#splitter.append(chunk);
  }

  /** A text that did not come over stderr. It may have several lines; of a flood a part is kept, and its loss told. */
  say(source: Exclude<KeptSource, 'stderr'>, text: string, level?: LogLevel): void {
    this.#said.add({ source, text, level });
  }

  /** Lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.#log.since(afterId);
  }

  /** Lines of all sources, in lists of their own. */
  inMemory(): readonly LinesInMemory<KeptLine>[] {
    this.#said.tellLoss();
    return [this.#log.ring.inMemory(), this.#said.ring.inMemory()];
  }

  /** The last lines of the current run, an unfinished one too, as they are shown; empty when it wrote nothing. */
  tail(): string {
    return shownTail(this.recent());
  }

  /** The last 200 lines of the current run, for whoever looks for a cause in them. */
  recent(): string {
    return this.#log.recent(this.#generation, this.#redact(this.#splitter.partial));
  }

  /** Ends the output: an unfinished line counts as a whole one. */
  finish(): void {
    this.#splitter.finish();
    this.#said.tellLoss();
  }

  #add(line: string): void {
    const kept: KeptLine = { ...this.#place, source: 'stderr', text: this.#redact(line) };
    this.#log.add(kept);
    this.#file?.add(kept);
  }

  #keepSaid(line: Pick<KeptLine, 'source' | 'level' | 'text'>): void {
    const kept: KeptLine = { ...this.#place, ...line };
    this.#said.ring.add(kept);
    this.#file?.add(kept);
  }

  get #place(): Pick<KeptLine, 'atUs' | 'era' | 'generation'> {
    const atUs = this.#times.next();
    const { era } = this.#times;
    return { atUs, ...(era > 0 && { era }), generation: this.#generation };
  }
}
