import type {
  LogContent,
  LogFilter,
  LogPage,
  LogPageQuery,
  LogSearch,
  LogSearchResult,
} from '../../../shared/log-lines.ts';
import type { Clock } from '../clock.ts';
import { msOf, type LineTimes } from '../journal/line-times.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import { eraOf, isOfTrafficAlone, keyOf, type LinePlace, placeOf, type Side, tailAt } from './line-place.ts';
import type { ArchiveThread } from './archive-thread.ts';
import type { ArchiveQuery, ArchiveSlice } from './log-archive.ts';
import {
  joinSlices,
  momentOf,
  placedLine,
  sliceSpanOf,
  type PlacedLine,
  type SliceQuery,
} from './log-slices.ts';
import { MemoryLines } from './memory-lines.ts';
import type { Slice } from './line-slice.ts';
import { ContentBudget, textOfContent } from './traffic-contents.ts';
import { TrafficLog } from './traffic-log.ts';
import { messageOf } from '../../../shared/message-of.ts';

interface LogBookOptions {
  readonly clock: Clock;
  readonly times: LineTimes;
  /** Returns the outputs, keyed by the names of servers and replicas. */
  readonly outputs: () => ReadonlyMap<string, ServerOutput>;
  /** Output of the panel itself. */
  readonly panel: ServerOutput;
  /** Reader of the logs on disk; undefined if no logs are written to disk. */
  readonly archive: Pick<ArchiveThread, 'slice' | 'content'> | undefined;
  readonly redact: (text: string) => string;
  /** Called with one sentence for the user, once per problem. */
  readonly onProblem: (message: string) => void;
}

/** Maximum scanned lines and characters per slice. Scanning that many blocks the reading thread for a few milliseconds. */
const MAX_SCANNED = 10_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Maximum characters of one page, because it is copied to the app window in one event-loop tick. */
const MAX_PAGE_CHARACTERS = 1024 * 1024;

interface Answered extends Slice<PlacedLine> {
  readonly isThere: boolean;
  /** Position of the newest line that existed when the slice was read; later lines are not in the slice. */
  readonly newest: LinePlace;
}

interface Asked extends Pick<SliceQuery, 'filter' | 'text' | 'matchesCase' | 'maxLines'> {
  readonly side: Side;
  readonly from: LinePlace | undefined;
  /** Position of a line to check. `isThere` in the result says whether that line exists. */
  readonly lookFor?: LinePlace | undefined;
  /**
   * For a log that is being followed, the current `era`: the number of times the clock was set far back (see `LineTimes`). Only
   * lines of this `era` that came after the start position are read. Undefined for a log that is not being followed.
   */
  readonly era?: number | undefined;
}

interface PageLines extends Pick<Answered, 'isThere' | 'newest'> {
  readonly lines: PlacedLine[];
  /** True if there are no more lines. */
  readonly isEnd: boolean;
}

/** Lines of all servers and of the panel, in memory and on disk, merged by time. */
export class LogBook {
  readonly #options: LogBookOptions;
  readonly #traffic = new Map<string, TrafficLog>();
  readonly #budget = new ContentBudget();
  #hasFailed = false;

  constructor(options: LogBookOptions) {
    this.#options = options;
  }

  /** Returns the traffic log (the MCP messages) of a server or replica. */
  trafficOf(stream: string): TrafficLog {
    const { clock, times, outputs } = this.#options;
    const generation = () => outputs().get(stream)?.generation ?? 0;
    const log =
      this.#traffic.get(stream) ?? new TrafficLog({ clock, times, budget: this.#budget, generation });
    this.#traffic.set(stream, log);
    return log;
  }

  async page({ filter, beside, limit }: LogPageQuery): Promise<LogPage> {
    const side = beside?.side ?? 'older';
    const named = beside?.key === undefined ? undefined : placeOf(beside.key);
    const from = named ?? (beside?.at === undefined ? undefined : momentOf(beside.at));
    // A key with an `era` marks the end of a followed log: from there, lines are returned in order of arrival. The key of a
    // line returns its neighbors in order of position.
    const era = side === 'newer' && named ? eraOf(named) : undefined;
    const lookFor = named && eraOf(named) === undefined ? named : undefined;
    const { lines, isEnd, isThere, newest } = await this.#lines(
      { filter, side, from, lookFor, era, maxLines: limit + 1 },
      limit,
    );
    const last = isEnd || side === 'older' ? undefined : lines.at(-1);
    const isBeforeEra = era !== undefined && !last && era < eraOf(newest)!;
    const isTail = side === 'newer' || beside === undefined;
    const tail = isBeforeEra ? tailAt(0, era + 1) : last ? tailBehind(last, era) : newest;
    return {
      lines: (side === 'newer' ? lines : lines.reverse()).map(({ line }) => line),
      hasMore: !isEnd || isBeforeEra,
      ...(!isThere && { isCutOff: true }),
      ...(isTail && { tail: keyOf(tail) }),
    };
  }

  async find({ key, ...sought }: LogSearch): Promise<LogSearchResult> {
    const from = key === undefined ? undefined : placeOf(key);
    const { lines, end, scanned } = await this.#slice({ ...sought, from, maxLines: 1 });
    const [hit] = lines;
    return {
      ...(hit && { hit: hit.line }),
      ...(!hit && end && { continueAt: keyOf(end) }),
      scannedLines: scanned,
    };
  }

  /** Returns the content of a message; undefined if it is no longer kept. */
  async content(key: string): Promise<LogContent | undefined> {
    const place = placeOf(key);
    const kept = place && this.#traffic.get(place.stream)?.find(place.atUs)?.kept;
    if (!kept) return undefined;
    const { leftOutBytes, content } = kept;
    return this.#options.archive?.content({ text: textOfContent(content), leftOutBytes });
  }

  /** The latest position used so far; all later lines get positions after it. */
  get #newest(): LinePlace {
    const { newestUs, era } = this.#options.times;
    return tailAt(newestUs, era);
  }

  /** Reads up to `limit` lines, in as many slices as are needed. */
  async #lines(asked: Asked, limit: number): Promise<PageLines> {
    let part = await this.#slice(asked);
    const { isThere, lines } = part;
    let { newest } = part;
    let characters = charactersOf(lines);
    while (part.end && lines.length <= limit && characters < MAX_PAGE_CHARACTERS) {
      const rest = { ...asked, from: part.end, lookFor: undefined, maxLines: limit + 1 - lines.length };
      part = await this.#slice(rest);
      lines.push(...part.lines);
      characters += charactersOf(part.lines);
      // On the side `newer`, lines are read up to the `newest` of the last slice; on the side `older`, the first slice already
      // contains the newest line.
      if (asked.side === 'newer') newest = part.newest;
    }
    const isEnd = lines.length <= limit && !part.end;
    return { lines: lines.slice(0, limit), isEnd, isThere, newest };
  }

  async #slice({ from, lookFor, era, ...asked }: Asked): Promise<Answered> {
    const { filter, side } = asked;
    const bounds = { maxScanned: MAX_SCANNED, maxCharacters: MAX_CHARACTERS };
    const query: SliceQuery = { ...asked, ...bounds, ...sliceSpanOf(filter, side, from) };
    // Memory is read before the disk, because a line may move from memory to disk in between.
    const memory = this.#memory();
    const newest = this.#newest;
    const isInMemory =
      era === undefined ? !lookFor || memory.has(lookFor) : memory.hasAllSince(query.beside!, era, filter);
    const span = sliceSpanOf(this.#onDisk(filter), side, from);
    // When a log is followed, a line on disk with a later time than the newest line was written by another app run.
    const untilUs = era === undefined ? span.untilUs : Math.min(span.untilUs ?? Infinity, newest.atUs + 1);
    const kept = this.#needsArchive(filter, era, isInMemory)
      ? await this.#ask({ ...query, ...span, untilUs, lookFor: isInMemory ? undefined : lookFor })
      : undefined;
    const earlier = kept && this.#withoutWhatCameSince(newest, kept);
    const recent = await memory.slice(query, era);
    const joined = earlier
      ? joinSlices({ ...earlier, lines: earlier.lines.map(placedLine) }, recent, side)
      : recent;
    const isThere = isInMemory || (era === undefined ? (kept?.isThere ?? false) : kept !== undefined);
    return { ...joined, isThere, newest };
  }

  /** Drops lines that came during the disk read, as others from then may not be on disk yet. The next query returns them. */
  #withoutWhatCameSince(newest: LinePlace, kept: ArchiveSlice): ArchiveSlice {
    const { newestUs } = this.#options.times;
    if (newestUs === newest.atUs) return kept;
    const cameSince = ({ atUs }: LinePlace) => atUs > newest.atUs && atUs <= newestUs;
    const lines = kept.lines.filter((line) => !cameSince(line));
    return { ...kept, lines, end: kept.end && cameSince(kept.end) ? newest : kept.end };
  }

  /**
   * True if the disk must be read. While a log is followed, the disk is needed only for new lines that memory has already
   * dropped. It can be used only while `era` is 0, because the `era` of a line is not stored on disk.
   */
  #needsArchive(filter: LogFilter, era: number | undefined, isInMemory: boolean): boolean {
    if (isOfTrafficAlone(filter)) return false;
    return era === undefined || (this.#options.times.era === 0 && !isInMemory);
  }

  /**
   * Returns the filter for the disk. If the filter names a generation (the number of a server's run), only lines of this app
   * run are allowed, because every app run counts generations from the beginning.
   */
  #onDisk(filter: LogFilter): LogFilter {
    if (filter.generation === undefined) return filter;
    return { ...filter, from: Math.max(filter.from ?? 0, msOf(this.#options.times.beganUs)) };
  }

  async #ask(query: ArchiveQuery): Promise<ArchiveSlice | undefined> {
    try {
      return await this.#options.archive?.slice(query);
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.onProblem(`The content of the logs on disk could not be read: ${messageOf(error)}`);
      this.#hasFailed = true;
      return undefined;
    }
  }

  #memory(): MemoryLines {
    const { outputs, panel, redact } = this.#options;
    const all = [['', panel] as const, ...outputs()];
    const streams = all.map(([stream, output]) => ({
      stream,
      kept: output.inMemory(),
      traffic: this.#traffic.get(stream)?.inMemory() ?? [],
    }));
    return new MemoryLines(streams, redact);
  }
}

/** Returns the position to continue from after a line: by order of arrival if the log is followed, otherwise by position. */
const tailBehind = (place: LinePlace, era: number | undefined): LinePlace =>
  era === undefined ? place : tailAt(place.atUs, era);

const charactersOf = (lines: readonly PlacedLine[]): number =>
  lines.reduce((sum, { line }) => sum + line.text.length, 0);
