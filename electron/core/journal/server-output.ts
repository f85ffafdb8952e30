import { StringDecoder } from 'node:string_decoder';
import type { OutputLine } from '../../../shared/domain.ts';
import type { LogLevel } from '../../../shared/log-kinds.ts';
import type { SecretSpan } from '../../../shared/secrets/known-forms.ts';
import type { WallClock } from '../clock.ts';
import type { KeptLine, KeptSource } from './line-form.ts';
import { LineRing, type LinesInMemory } from './line-ring.ts';
import { LineTimes } from './line-times.ts';
import type { OutputFile } from './output-file.ts';
import { cutLine, OutputLog, shownTail } from './output-log.ts';

interface ServerOutputOptions {
  readonly wallClock: WallClock;
  /** Redacts each line before it is stored anywhere. */
  readonly redact?: (line: string) => string;
  /** Finds the secrets in a line. Default: none. */
  readonly secretsIn?: (text: string) => readonly SecretSpan[];
  /** File that lines are also written to. */
  readonly file?: OutputFile;
  /** Called with each redacted line. */
  readonly onLine?: (text: string) => void;
  /** Assigns each line its time. Outputs shown together share one object, so that lines can be sorted. Default: a new one. */
  readonly times?: LineTimes;
}

const MAX_LINE_CHARACTERS = 16 * 1024;

/**
 * Output of one server across its runs: stderr divided into lines, the server's log messages, malformed protocol output, and
 * the panel's own messages about it. It is redacted, then kept in memory for the window and written to disk.
 */
export class ServerOutput {
  readonly #log = new OutputLog();
  readonly #said: SaidLines;
  readonly #file: OutputFile | undefined;
  readonly #redact: (line: string) => string;
  readonly #onLine: (text: string) => void;
  readonly #times: LineTimes;
  readonly #splitter: LineSplitter;
  #generation = 0;

  constructor({
    wallClock,
    redact = (line) => line,
    secretsIn = () => [],
    file,
    onLine = () => undefined,
    times = new LineTimes(wallClock),
  }: ServerOutputOptions) {
    this.#file = file;
    this.#onLine = onLine;
    this.#redact = redact;
    this.#times = times;
    this.#splitter = new LineSplitter({
      maxCharacters: MAX_LINE_CHARACTERS,
      onLine: (line) => this.#add(line),
      secretsIn,
    });
    this.#said = new SaidLines({ wallClock, redact, onLine: (line) => this.#keepSaid(line) });
  }

  /** Run that lines currently belong to. */
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

  /** Adds one or more lines from a source other than stderr. Only a part of a flood is kept, and the loss is reported. */
  say(source: Exclude<KeptSource, 'stderr'>, text: string, level?: LogLevel): void {
    this.#said.add({ source, text, level });
  }

  /** Returns the stderr lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.#log.since(afterId);
  }

  /** Returns the lines in memory in two lists: stderr, and all other sources. */
  inMemory(): readonly LinesInMemory<KeptLine>[] {
    this.#said.tellLoss();
    return [this.#log.ring.inMemory(), this.#said.ring.inMemory()];
  }

  /** Returns the last stderr lines of this run, as many as are displayed, including an incomplete one; empty if none. */
  tail(): string {
    return shownTail(this.recent());
  }

  /** Returns up to 200 of the last stderr lines of the current run, which are searched for the cause of a failure. */
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
    this.#onLine(kept.text);
  }

  #keepSaid(line: Pick<KeptLine, 'source' | 'level' | 'text'>): void {
    const kept: KeptLine = { ...this.#place, ...line };
    this.#said.ring.add(kept);
    this.#file?.add(kept);
    this.#onLine(kept.text);
  }

  get #place(): Pick<KeptLine, 'atUs' | 'era' | 'generation'> {
    const atUs = this.#times.next();
    const { era } = this.#times;
    return { atUs, ...(era > 0 && { era }), generation: this.#generation };
  }
}

/**
 * Number of characters at the end of an over-long line that are held back when the line is cut. A secret there may still be
 * incomplete; if it were cut in two, neither half would be recognized, and both would be shown. A private key in PEM has some
 * 3300 characters.
 */
const HELD_BACK_CHARACTERS = 4096;
/** Maximum characters that are kept back; a longer secret is cut nevertheless. */
const MOST_HELD_CHARACTERS = 128 * 1024;

interface LineSplitterOptions {
  /** Length from which a line is cut into several; more than 4096. */
  readonly maxCharacters: number;
  readonly onLine: (line: string) => void;
  /** Finds secrets in an over-long line, so that none is cut. */
  readonly secretsIn: (text: string) => readonly SecretSpan[];
}

/** Splits a byte stream into lines of text. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #decoder = new StringDecoder('utf8');
  #partial = '';

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Text after the last line break. */
  get partial(): string {
    return this.#partial;
  }

  append(chunk: Buffer): void {
    const lines = (this.#partial + this.#decoder.write(chunk)).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#partial.length > this.#options.maxCharacters) this.#cut();
  }

  /** Ends an unfinished line; afterwards, bytes of another stream may follow. */
  finish(): void {
    const line = this.#partial;
    this.#partial = '';
    this.#decoder = new StringDecoder('utf8');
    if (line !== '') this.#options.onLine(line);
  }

  #cut(): void {
    const text = this.#partial;
    let at = text.length - HELD_BACK_CHARACTERS;
    // The last span comes first, because a cut that is moved to the start of one secret may be inside an earlier one.
    const spans = [...this.#options.secretsIn(text)].sort((one, other) => other[1] - one[1]);
    for (const [start, end] of spans) if (start < at && at <= end) at = start;
    if (/[\uDC00-\uDFFF]/.test(text.charAt(at))) at -= 1;
    if (at <= 0 && text.length > MOST_HELD_CHARACTERS) at = text.length;
    if (at <= 0) return;
    this.#partial = text.slice(at);
    this.#options.onLine(text.slice(0, at));
  }
}

type SaidLine = Pick<KeptLine, 'source' | 'level' | 'text'>;

interface SaidLinesOptions {
  readonly wallClock: WallClock;
  readonly redact: (text: string) => string;
  /** Called with each line to be kept, without secrets and breaks. */
  readonly onLine: (line: SaidLine) => void;
}

const MAX_LINES = 500;

const MAX_BYTES = 128 * 1024;

/** Maximum lines kept per second. More are only counted, because a server that logs to stdout may send a hundred thousand. */
const MAX_PER_S = 500;

/** Maximum lines kept of one text; omissions are reported. */
const MAX_LINES_OF_TEXT = 50;

/**
 * Number of characters of a text that are redacted; the rest is dropped. It is twice the length of a displayed line, because a
 * secret that is cut in two is not recognized.
 */
const MAX_REDACTED_CHARACTERS = 8192;

const MS_PER_S = 1000;

const BREAKS = /\r\n|[\n\r\u2028\u2029]/;

/** Lines about a server that are not from stderr: its log messages, malformed output, and messages of the panel. */
class SaidLines {
  readonly ring = new LineRing<KeptLine>({
    maxLines: MAX_LINES,
    maxBytes: MAX_BYTES,
    sizeOf: ({ text }) => text.length,
  });
  readonly #options: SaidLinesOptions;
  #second = 0;
  #inSecond = 0;
  #lost = 0;

  constructor(options: SaidLinesOptions) {
    this.#options = options;
  }

  add({ source, text, level }: SaidLine): void {
    if (!this.#hasRoom()) {
      this.#lost += 1;
      return;
    }
    this.tellLoss();
    for (const line of this.#linesOf(text)) {
      this.#inSecond += 1;
      this.#options.onLine({ source, level, text: line });
    }
  }

  /** Adds a line that states how many texts were dropped since the last such line. */
  tellLoss(): void {
    if (this.#lost === 0) return;
    const text = `(${this.#lost} more of these came too fast to be kept)`;
    this.#lost = 0;
    this.#options.onLine({ source: 'panel', level: undefined, text });
  }

  #hasRoom(): boolean {
    const second = Math.floor(this.#options.wallClock.epochMs() / MS_PER_S);
    if (second !== this.#second) this.#inSecond = 0;
    this.#second = second;
    return this.#inSecond < MAX_PER_S;
  }

  #linesOf(text: string): readonly string[] {
    const lines = this.#options
      .redact(text.slice(0, MAX_REDACTED_CHARACTERS))
      .split(BREAKS)
      .map((line) => cutLine(line));
    if (lines.length <= MAX_LINES_OF_TEXT) return lines;
    const rest = lines.length - MAX_LINES_OF_TEXT;
    return [...lines.slice(0, MAX_LINES_OF_TEXT), `(${rest} more lines)`];
  }
}
