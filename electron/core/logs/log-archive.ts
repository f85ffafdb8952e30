import type { LogLevel } from '../../../shared/log-kinds.ts';
import type { LogContent, LogFilter } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import { cutLine } from '../journal/output-log.ts';
import { createRedactor, type Redact } from '../journal/redact.ts';
import { LineCursor } from './line-cursor.ts';
import { levelAt, lineFinder, passes, type SoughtText } from './line-levels.ts';
import type { LinePlace } from './line-place.ts';
import { SliceRun, type Looked, type Slice, type SliceBounds } from './line-slice.ts';
import type { LogFiles } from './log-files.ts';
import { redactJson } from './redact-json.ts';
import { wantedStreams } from './wanted-streams.ts';

/** What is asked of the logs on disk. */
export interface ArchiveQuery extends SliceBounds, SoughtText {
  readonly filter: LogFilter;
  /** Lines on the one side of it; undefined for the very beginning of what lies on that side. */
  readonly beside: LinePlace | undefined;
  /** Whether there is a line at that very place is to be told. */
  readonly lookFor: LinePlace | undefined;
}

/** A line, its text without secrets and cut to what is shown. */
export interface ArchivedLine extends LinePlace {
  readonly line: KeptLine;
  readonly level: LogLevel | undefined;
}

export interface ArchiveSlice extends Slice<ArchivedLine> {
  readonly isThere: boolean;
}

/** A message whose content is asked for. */
export interface ContentQuery {
  readonly text: string;
  /** Of the message, behind the text. */
  readonly leftOutBytes: number;
}

/** So much of the end of what was cut off is left out, because a secret that is cut in two is recognised as none. */
const CUT_CHARACTERS = 4096;

/** Answers questions about the logs on disk. For a thread of its own: it reads before it returns. */
export class LogArchive {
  readonly #files: LogFiles;
  #redact: Redact = createRedactor([]);

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** What is secret now. Lines on disk may have been written when it was not known. */
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
    // A pattern may reach over the end of what is shown.
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

  /** The panel's own lines are of no server. */
  #streamsFor(filter: LogFilter): readonly string[] {
    return ['', ...this.#files.streams].filter(wantedStreams(filter));
  }
}
