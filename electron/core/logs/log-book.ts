import type {
  LogContent,
  LogPage,
  LogPageQuery,
  LogSearch,
  LogSearchResult,
} from '../../../shared/log-lines.ts';
import type { Clock } from '../clock.ts';
import type { LineTimes } from '../journal/line-times.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import { keyOf, placeOf, type Place, type Side } from './line-place.ts';
import type { ArchiveQuery, ArchiveSlice, ContentQuery } from './log-archive.ts';
import {
  joinSlices,
  LAST_STREAM,
  momentOf,
  placedLine,
  spanOf,
  type PlacedLine,
  type SliceQuery,
} from './log-slices.ts';
import { MemoryLines } from './memory-lines.ts';
import type { Slice } from './line-slice.ts';
import { ContentBudget, textOfContent } from './traffic-contents.ts';
import { TrafficLog } from './traffic-log.ts';

export interface LogBookOptions {
  readonly clock: Clock;
  readonly times: LineTimes;
  /** By the names of servers and of further processes of theirs. */
  readonly outputs: () => ReadonlyMap<string, ServerOutput>;
  /** What the panel says for itself. */
  readonly panel: ServerOutput;
  /** Reads what is on disk. Undefined where nothing does. */
  readonly archive: LogReader | undefined;
  readonly redact: (text: string) => string;
  /** Told once, in one sentence for people. */
  readonly onProblem: (message: string) => void;
}

/** What is on disk, for whoever asks. */
export interface LogReader {
  slice(query: ArchiveQuery): Promise<ArchiveSlice>;
  content(query: ContentQuery): Promise<LogContent>;
}

/** Looked at for one slice: some milliseconds of whoever reads. */
const MAX_SCANNED = 10_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** What one page may bring, because it is copied to the window in one turn. */
const MAX_PAGE_CHARACTERS = 1024 * 1024;

interface Answered extends Slice<PlacedLine> {
  readonly isThere: boolean;
  /** All lines up to there, and none behind it that came since, were looked at. */
  readonly newest: Place;
}

interface Asked extends Pick<SliceQuery, 'filter' | 'text' | 'maxLines'> {
  readonly side: Side;
  readonly from: Place | undefined;
  /** Whether there is a line at that very place is to be told. */
  readonly lookFor?: Place | undefined;
}

/** The lines of all servers and of the panel on one time axis: those in memory, and those on disk. */
export class LogBook {
  readonly #options: LogBookOptions;
  readonly #traffic = new Map<string, TrafficLog>();
  readonly #budget = new ContentBudget();
  #hasFailed = false;

  constructor(options: LogBookOptions) {
    this.#options = options;
  }

  /** What passes over the connections of a server, or of a further process of it. */
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
    let from = named ?? (beside?.at === undefined ? undefined : momentOf(beside.at));
    const lines: PlacedLine[] = [];
    let characters = 0;
    let newest: Place | undefined;
    let end: Place | undefined;
    let isThere: boolean | undefined;
    do {
      const lookFor = isThere === undefined && named?.stream !== LAST_STREAM ? named : undefined;
      const asked = { filter, side, from, maxLines: limit + 1 - lines.length, lookFor };
      const part = await this.#slice(asked);
      lines.push(...part.lines);
      for (const { line } of part.lines) characters += line.text.length;
      isThere ??= part.isThere;
      // Newer lines were looked at up to the last look, the newest ones up to the first.
      newest = side === 'newer' ? part.newest : (newest ?? part.newest);
      from = end = part.end;
    } while (end && lines.length <= limit && characters < MAX_PAGE_CHARACTERS);
    const shown = lines.slice(0, limit);
    const hasMore = lines.length > limit || end !== undefined;
    const tail = side === 'newer' && hasMore ? shown.at(-1) : newest;
    const isTail = side === 'newer' || beside === undefined;
    return {
      lines: (side === 'newer' ? shown : shown.reverse()).map(({ line }) => line),
      hasMore,
      ...(!isThere && { isCutOff: true }),
      ...(isTail && tail && { tail: keyOf(tail) }),
    };
  }

  async find({ filter, text, key, side }: LogSearch): Promise<LogSearchResult> {
    const from = key === undefined ? undefined : placeOf(key);
    const { lines, end, scanned } = await this.#slice({ filter, side, from, text, maxLines: 1 });
    const [hit] = lines;
    return {
      ...(hit && { hit: hit.line }),
      ...(!hit && end && { continueAt: keyOf(end) }),
      scannedLines: scanned,
    };
  }

  /** Undefined when it is no longer kept. */
  async content(key: string): Promise<LogContent | undefined> {
    const place = placeOf(key);
    const kept = place && this.#traffic.get(place.stream)?.find(place.atUs)?.kept;
    if (!kept) return undefined;
    const { leftOutBytes, content } = kept;
    return this.#options.archive?.content({ text: textOfContent(content), leftOutBytes });
  }

  /** The newest place that was given, in front of all that come. */
  get #newest(): Place {
    return { atUs: this.#options.times.newestUs, stream: LAST_STREAM };
  }

  async #slice({ filter, side, from, text, maxLines, lookFor }: Asked): Promise<Answered> {
    const bounds = { maxLines, maxScanned: MAX_SCANNED, maxCharacters: MAX_CHARACTERS };
    const query: SliceQuery = { ...bounds, ...spanOf(filter, side, from), filter, side, text };
    // What is in memory is looked at first: it may be on disk alone a moment later.
    const memory = this.#memory();
    const newest = this.#newest;
    const isInMemory = lookFor === undefined || memory.has(lookFor);
    const kept = this.#needsArchive(query, memory, isInMemory)
      ? this.#without(await this.#ask({ ...query, lookFor: isInMemory ? undefined : lookFor }), newest)
      : undefined;
    const recent = await memory.slice(query);
    const joined = kept ? joinSlices({ ...kept, lines: kept.lines.map(placedLine) }, recent, side) : recent;
    return { ...joined, isThere: isInMemory || (kept?.isThere ?? false), newest };
  }

  /** Without the lines that came while the disk was read: of other servers there may be some that are not on it yet. */
  #without(kept: ArchiveSlice | undefined, newest: Place): ArchiveSlice | undefined {
    const { newestUs } = this.#options.times;
    if (!kept || newestUs === newest.atUs) return kept;
    const cameSince = ({ atUs }: Place) => atUs > newest.atUs && atUs <= newestUs;
    const lines = kept.lines.filter((line) => !cameSince(line));
    return { ...kept, lines, end: kept.end && cameSince(kept.end) ? newest : kept.end };
  }

  /** Of what came since this launch began, all may still be in memory, which is where a log that is followed is read. */
  #needsArchive({ filter, side, beside }: SliceQuery, memory: MemoryLines, beginsInMemory: boolean): boolean {
    if (filter.sources?.every((source) => source === 'traffic')) return false;
    if (side === 'older' || !beside || !beginsInMemory) return true;
    // A log that is followed from before its first line stands right in front of this launch.
    return beside.atUs < this.#options.times.beganUs - 1 || !memory.hasAllSince(beside);
  }

  async #ask(query: ArchiveQuery): Promise<ArchiveSlice | undefined> {
    try {
      return await this.#options.archive?.slice(query);
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.onProblem(`What the logs on disk hold could not be read: ${String(error)}`);
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
