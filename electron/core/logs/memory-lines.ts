import type { LogFilter, LogLine, Traffic } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import type { LinesInMemory } from '../journal/line-ring.ts';
import { nextTurn } from '../next-turn.ts';
import { LineCursor, listOf, type LineHere, type LineList } from './line-cursor.ts';
import { levelAt, lineFinder, passes } from './line-levels.ts';
import { atOf, keyOf, type LinePlace } from './line-place.ts';
import { SliceRun, type Looked, type Slice } from './line-slice.ts';
import { ownerOf, placedLine, type PlacedLine, type SliceQuery } from './log-slices.ts';
import type { TrafficRecord } from './traffic-log.ts';
import { trafficWords } from './traffic-words.ts';
import { isOfTrafficAlone, wantedStreams } from './wanted-streams.ts';

/** What is in memory of one server, or of a further process of it; its name is empty for the panel itself. */
export interface StreamInMemory {
  readonly stream: string;
  /** Of these more is on disk. */
  readonly kept: readonly LinesInMemory<KeptLine>[];
  /** What clients and the server say, and what the panel asks for itself. */
  readonly traffic: readonly LinesInMemory<TrafficRecord>[];
}

type AnyLine = KeptLine | TrafficRecord;

interface MemoryList {
  readonly kind: 'kept' | 'traffic' | 'own-traffic';
  readonly era: number;
  readonly list: LineList<AnyLine>;
}
type Finder = ((text: string) => boolean) | undefined;

/** Looked at in one turn of the loop; the words of each may have to be looked through for secrets. */
const LINES_PER_TURN = 200;
const MAX_TARGET_CHARACTERS = 200;

/** The lines in memory as they were at one moment. */
export class MemoryLines {
  readonly #lists: readonly MemoryList[];
  readonly #streams: readonly StreamInMemory[];
  readonly #redact: (text: string) => string;

  constructor(streams: readonly StreamInMemory[], redact: (text: string) => string) {
    this.#lists = streams.flatMap(({ stream, kept, traffic: [theirs, own] }) => [
      ...kept.flatMap((lines) => memoryLists(stream, 'kept', lines)),
      ...(theirs ? memoryLists(stream, 'traffic', theirs) : []),
      ...(own ? memoryLists(stream, 'own-traffic', own) : []),
    ]);
    this.#streams = streams;
    this.#redact = redact;
  }

  /** Whether a line at that place is in memory. */
  has({ atUs, stream }: LinePlace): boolean {
    const justBefore = { atUs: atUs - 1, stream };
    return this.#lists
      .filter(({ list }) => list.stream === stream)
      .some(({ list }) => new LineCursor(list, 'newer', justBefore).nextUs === atUs);
  }

  /** Whether of what the filter asks for no line is on disk alone that came since that place of that era. */
  hasAllSince({ atUs }: LinePlace, era: number, filter: LogFilter): boolean {
    if (isOfTrafficAlone(filter)) return true;
    const isThere = ({ droppedUs, droppedEra }: LinesInMemory<KeptLine>) =>
      droppedEra < era || (droppedEra === era && droppedUs <= atUs);
    const isWanted = wantedStreams(filter);
    return this.#streams.every(({ stream, kept }) => !isWanted(stream) || kept.every(isThere));
  }

  /**
   * In turns of the loop, because a hundred servers may have had much to say.
   * @param era of which the lines are; all of them where it is left out
   */
  async slice(query: SliceQuery, era?: number): Promise<Slice<PlacedLine>> {
    const { side, beside } = query;
    const cursors = this.#wanted(query, era).map((list) => new LineCursor(list, side, beside));
    const finds = lineFinder(query);
    const run = new SliceRun(cursors, query, (cursor) => this.#look(cursor, query, finds));
    while (!run.step(LINES_PER_TURN)) await nextTurn();
    return run.slice;
  }

  #wanted({ filter }: SliceQuery, wantedEra: number | undefined): readonly LineList<AnyLine>[] {
    const { sources, withoutOwn } = filter;
    const isWanted = wantedStreams(filter);
    const hasTraffic = sources?.includes('traffic') ?? true;
    return this.#lists
      .filter(({ era }) => wantedEra === undefined || era === wantedEra)
      .filter(({ kind }) => kind === 'kept' || hasTraffic)
      .filter(({ kind }) => kind !== 'own-traffic' || !withoutOwn)
      .map(({ list }) => list)
      .filter(({ stream }) => isWanted(stream));
  }

  #look(cursor: LineCursor<AnyLine>, { filter }: SliceQuery, finds: Finder): Looked<PlacedLine> {
    const { here } = cursor;
    const first = here.lines[here.index]!;
    if ('direction' in first) return this.#lookAtTraffic(first, cursor.stream, filter, finds);
    // A list holds lines of one kind alone.
    const kept = here as LineHere<KeptLine>;
    const characters = first.text.length;
    if (!passes(kept, filter) || finds?.(first.text) === false) return { taken: undefined, characters };
    const level = levelAt(kept);
    return { taken: placedLine({ atUs: first.atUs, stream: cursor.stream, line: first, level }), characters };
  }

  #lookAtTraffic(
    record: TrafficRecord,
    stream: string,
    { generation = record.generation, leastLevel }: SliceQuery['filter'],
    finds: Finder,
  ): Looked<PlacedLine> {
    const isPassing = generation === record.generation && leastLevel === undefined;
    const line = isPassing ? this.#trafficLine(record, stream) : undefined;
    const isFound = line && finds?.(line.text) !== false;
    return {
      taken: isFound ? { atUs: record.atUs, stream, line } : undefined,
      characters: line?.text.length ?? 0,
    };
  }

  #trafficLine(record: TrafficRecord, stream: string): LogLine {
    const { atUs, generation, direction, kind, sizeBytes, durationMs, client, isOwn, pairUs } = record;
    const method = this.#redact(record.method);
    const target = record.target && this.#redact(record.target).slice(0, MAX_TARGET_CHARACTERS);
    const traffic: Traffic = {
      ...{ direction, kind, method },
      ...(target !== undefined && { target }),
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(durationMs !== undefined && { durationMs }),
      ...(client !== undefined && { client }),
      ...(isOwn && { own: true }),
      ...(pairUs !== undefined && { pairKey: keyOf({ atUs: pairUs, stream }) }),
      hasContent: record.kept !== undefined,
    };
    const place = { atUs, stream };
    return {
      key: keyOf(place),
      at: atOf(place),
      ...ownerOf(stream),
      source: 'traffic',
      generation,
      text: trafficWords({ ...record, method }, target),
      traffic,
    };
  }
}

const memoryLists = (
  stream: string,
  kind: MemoryList['kind'],
  { runs }: LinesInMemory<AnyLine>,
): MemoryList[] => runs.map(({ era, lines }) => ({ kind, era, list: listOf(stream, lines) }));
