import type { LogLevel } from '../../../shared/log-kinds.ts';
import type { LogContent, LogFilter } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import { cutLine } from '../journal/output-log.ts';
import { createRedactor, type Redact } from '../journal/redact.ts';
import { LineCursor } from './line-cursor.ts';
import { levelAt, lineFinder, passes, type SoughtText } from './line-levels.ts';
import { type LinePlace, wantedStreams } from './line-place.ts';
import { type Looked, type Slice, type SliceBounds, SliceRun } from './line-slice.ts';
import type { LogFiles } from './log-files.ts';
import { PLACEHOLDER } from '../../../shared/secrets/known-forms.ts';

/** Asks `LogArchive` for a slice of the logs on disk. */
export interface ArchiveQuery extends SliceBounds, SoughtText {
  readonly filter: LogFilter;
  /** Position before or after which to read. Undefined: from the oldest line (for newer lines) or the newest (for older ones). */
  readonly beside: LinePlace | undefined;
  /** Position of a line to check. `isThere` in the result says whether that line exists. */
  readonly lookFor: LinePlace | undefined;
}

/** A line with its text redacted and cut for display. */
export interface ArchivedLine extends LinePlace {
  readonly line: KeptLine;
  readonly level: LogLevel | undefined;
}

export interface ArchiveSlice extends Slice<ArchivedLine> {
  readonly isThere: boolean;
}

/** Content of a message, which the archive thread redacts for display. */
export interface ContentQuery {
  readonly text: string;
  /** Number of bytes of the message that follow `text` but were not stored. */
  readonly leftOutBytes: number;
}

/** Characters dropped at the end of a truncated text, because the redactor does not recognize a secret that is cut off. */
const CUT_CHARACTERS = 4096;

/** Reads logs on disk. It is meant for a worker thread, because it reads synchronously. */
export class LogArchive {
  readonly #files: LogFiles;
  #redact: Redact = createRedactor([]);

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /**
   * Sets the secrets to redact. The lines are redacted again when they are read, because they may have been written before the
   * panel knew some of these secrets.
   */
  setSecrets(secrets: readonly string[]): void {
    this.#redact = createRedactor(secrets);
  }

  slice(query: ArchiveQuery): ArchiveSlice {
    const { beside, lookFor, side } = query;
    const lists = this.#streamsFor(query.filter).flatMap((stream) => this.#files.lists(stream));
    const cursors = lists.map((list) => new LineCursor(list, side, beside));
    const finds = lineFinder(query);
    const run = new SliceRun(cursors, query, (cursor) => this.#look(cursor, query.filter, finds));
    run.step();
    return { ...run.slice, isThere: lookFor !== undefined && this.#has(lookFor) };
  }

  content({ text, leftOutBytes }: ContentQuery): LogContent {
    const shown = redactJson(text, this.#redact);
    if (leftOutBytes === 0) return { text: shown, leftOutBytes: 0 };
    const kept = shown.slice(0, -CUT_CHARACTERS);
    return { text: kept, leftOutBytes: leftOutBytes + Buffer.byteLength(shown) - Buffer.byteLength(kept) };
  }

  #look(
    cursor: LineCursor<KeptLine>,
    filter: LogFilter,
    finds: ((text: string) => boolean) | undefined,
  ): Looked<ArchivedLine> {
    const { here } = cursor;
    const line = here.lines[here.index]!;
    const characters = line.text.length;
    const isFound = passes(here, filter) && (finds?.(line.text) ?? true);
    if (!isFound) return { taken: undefined, characters };
    // The text is redacted before it is cut. Otherwise a secret that extends beyond the cut would no longer be recognized.
    const text = cutLine(this.#redact(line.text));
    if (finds && !finds(text)) return { taken: undefined, characters };
    const { stream } = cursor;
    return {
      taken: { atUs: line.atUs, stream, line: { ...line, text }, level: levelAt(here) },
      characters,
    };
  }

  #has({ atUs, stream }: LinePlace): boolean {
    const justBefore = { atUs: atUs - 1, stream };
    return this.#files
      .lists(stream)
      .some((list) => new LineCursor(list, 'newer', justBefore).nextUs === atUs);
  }

  /** Returns the names of the logs that the filter allows. The empty name is the panel's own log, which belongs to no server. */
  #streamsFor(filter: LogFilter): readonly string[] {
    return ['', ...this.#files.streams].filter(wantedStreams(filter));
  }
}

/** Matches a JSON text's strings (field names with the colon; the last may be cut off) and numbers of four or more characters. */
const PARTS = /"([^"\\]*(?:\\.[^"\\]*)*)("(?:\s*:)?|\\?$)|-?\d[\d.eE+-]{3,}/gs;

/**
 * Redacts the secrets in a JSON text and keeps everything else as written: numbers, whitespace, field order. Also works on a
 * text that was cut off anywhere. @param redact called with one string at a time, as the only field of an object with the
 * string's field name, because some secrets are recognised only by the name of their field
 */
export function redactJson(text: string, redact: Redact): string {
  let name = '';
  return text.replace(PARTS, (whole: string, written: string | undefined, end: string) => {
    if (written === undefined) return redact(whole) === whole ? whole : JSON.stringify(PLACEHOLDER);
    const said = unescaped(written);
    if (end.endsWith(':')) {
      name = said;
      const shown = redact(said);
      return shown === said ? whole : `${JSON.stringify(shown)}${end.slice(1)}`;
    }
    const shown = shownValue(name, said, redact);
    if (shown === said) return whole;
    return end === '"' ? JSON.stringify(shown) : JSON.stringify(shown).slice(0, -1);
  });
}

/** Returns the redacted value of a field. It may be a secret because of the field's name, its text, or both together. */
function shownValue(name: string, said: string, redact: Redact): string {
  const shown = Object.values(redact({ [name]: said })).join('');
  if (shown !== said || name === '') return shown;
  const pair = `"${name}": "${said}"`;
  return redact(pair) === pair ? said : PLACEHOLDER;
}

/** Decodes the JSON escapes of a string. A string that was cut off within an escape is returned as written. */
function unescaped(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

/** Data with which the archive thread starts. */
export interface ArchiveStart {
  /** Folder of the logs. */
  readonly folder: string;
}

/** Request to the archive thread. `secrets` are only sent if they have changed since the last request. */
export type ArchiveRequest = {
  readonly id: number;
  readonly secrets?: readonly string[] | undefined;
} & (
  | { readonly ask: 'slice'; readonly query: ArchiveQuery }
  | { readonly ask: 'content'; readonly query: ContentQuery }
);

export interface ArchiveReply {
  readonly id: number;
  readonly answer?: ArchiveSlice | LogContent;
  /** Reason why the request failed, as text for the user. */
  readonly failure?: string;
}
