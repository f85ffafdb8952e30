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
  /** Redacts each line before it is kept anywhere. */
  readonly redact?: (line: string) => string;
  /** Finds the secrets in a line. Default: none. */
  readonly secretsIn?: (text: string) => readonly SecretSpan[];
  /** File that lines are also written to. */
  readonly file?: OutputFile;
  /** Time axis, shared by outputs whose lines are shown together. Default: its own. */
  readonly times?: LineTimes;
}

const MAX_LINE_CHARACTERS = 16 * 1024;

/**
 * Output of one server over its runs: stderr, cut into lines, its log messages, and malformed output. Redacted, in memory
 * for the window and on disk.
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

  /** Run that lines belong to now. */
  get generation(): number {
    return this.#generation;
  }

  /** Starts a new run; following lines are its output. */
  begin(generation: number): void {
    this.#splitter.finish();
    this.#said.tellLoss();
    this.#generation = generation;
    this.#file?.begin(generation);
  }

  append(chunk: Buffer): void {
    this.#splitter.append(chunk);
  }

  /** Adds a text from a source other than stderr, of one or more lines. A flood is kept in part, and its loss reported. */
  say(source: Exclude<KeptSource, 'stderr'>, text: string, level?: LogLevel): void {
    this.#said.add({ source, text, level });
  }

  /** Lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.#log.since(afterId);
  }

  /** Lines of all sources, in separate lists. */
  inMemory(): readonly LinesInMemory<KeptLine>[] {
    this.#said.tellLoss();
    return [this.#log.ring.inMemory(), this.#said.ring.inMemory()];
  }

  /** Last lines of the current run as shown, with an unfinished one; empty when it wrote nothing. */
  tail(): string {
    return shownTail(this.recent());
  }

  /** Last 200 lines of the current run, to be searched for a cause. */
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
