import type { LogFilter, LogLine, Traffic } from '../../../shared/log-lines.ts';
import type { KeptLine } from '../journal/line-form.ts';
import type { LinesInMemory } from '../journal/line-ring.ts';
import { nextTurn } from '../next-turn.ts';
import { LineCursor, listOf, type LineHere, type LineList } from './line-cursor.ts';
import { levelAt, lineFinder, passes } from './line-levels.ts';
import { atOf, isOfTrafficAlone, keyOf, type LinePlace, wantedStreams } from './line-place.ts';
import { SliceRun, type Looked, type Slice } from './line-slice.ts';
import { ownerOf, placedLine, type PlacedLine, type SliceQuery } from './log-slices.ts';
import type { TrafficRecord } from './traffic-log.ts';

/** Lines of one server or replica in memory; the stream's name is empty for the panel itself. */
interface StreamInMemory {
  readonly stream: string;
  /** Latest lines that the server wrote; earlier lines are only on disk. */
  readonly kept: readonly LinesInMemory<KeptLine>[];
  /** Messages between MCP clients and the server, and the panel's own requests. */
  readonly traffic: readonly LinesInMemory<TrafficRecord>[];
}

type AnyLine = KeptLine | TrafficRecord;

interface MemoryList {
  readonly kind: 'kept' | 'traffic' | 'own-traffic';
  readonly era: number;
  readonly list: LineList<AnyLine>;
}
type Finder = ((text: string) => boolean) | undefined;

/** Maximum lines scanned in one event-loop tick, because each text may have to be scanned for secrets. */
const LINES_PER_TURN = 200;
const MAX_TARGET_CHARACTERS = 200;

/** Snapshot of the lines in memory. */
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

  /** True if a line at that position is in memory. */
  has({ atUs, stream }: LinePlace): boolean {
    const justBefore = { atUs: atUs - 1, stream };
    return this.#lists
      .filter(({ list }) => list.stream === stream)
      .some(({ list }) => new LineCursor(list, 'newer', justBefore).nextUs === atUs);
  }

  /**
   * True if memory still has every line that matches the filter, has that `era` (see `LineTimes`) and came after that position.
   */
  hasAllSince({ atUs }: LinePlace, era: number, filter: LogFilter): boolean {
    if (isOfTrafficAlone(filter)) return true;
    const isThere = ({ droppedUs, droppedEra }: LinesInMemory<KeptLine>) =>
      droppedEra < era || (droppedEra === era && droppedUs <= atUs);
    const isWanted = wantedStreams(filter);
    return this.#streams.every(({ stream, kept }) => !isWanted(stream) || kept.every(isThere));
  }

  /**
   * Reads a slice of lines. Yields to the event loop after each chunk, because a hundred servers may have written a lot. @param
   * era only lines of this `era` are read; all lines if undefined
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
    // All lines of a list have the same kind, so this list contains no traffic.
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

  /** Returns the beginning of a tool call's arguments, redacted before the cut so that no part of a secret remains. */
  #argumentsOf(record: TrafficRecord): string | undefined {
    const given = argumentsIn(record);
    const text = given && this.#redact(given);
    return text && text.length > MAX_ARGUMENT_CHARACTERS
      ? `${text.slice(0, MAX_ARGUMENT_CHARACTERS)}…`
      : text;
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
      text: trafficWords({ ...record, method }, target, this.#argumentsOf(record)),
      traffic,
    };
  }
}

/** Maximum characters of a call's content up to which its log line shows the arguments, and maximum characters shown of them. */
const MAX_READ_CHARACTERS = 4096;
const MAX_ARGUMENT_CHARACTERS = 60;

/** Returns the arguments of a tool call as JSON; undefined for other messages, for long ones, and if the content was dropped. */
function argumentsIn({ kind, method, kept }: TrafficRecord): string | undefined {
  if (kind !== 'request' || method !== 'tools/call' || typeof kept?.content !== 'string') return undefined;
  if (kept.leftOutBytes > 0 || kept.content.length > MAX_READ_CHARACTERS) return undefined;
  const { params } = JSON.parse(kept.content) as { readonly params?: { readonly arguments?: unknown } };
  return params?.arguments === undefined ? undefined : JSON.stringify(params.arguments);
}

const memoryLists = (
  stream: string,
  kind: MemoryList['kind'],
  { runs }: LinesInMemory<AnyLine>,
): MemoryList[] => runs.map(({ era, lines }) => ({ kind, era, list: listOf(stream, lines) }));

const BYTES_PER_KIB = 1024;
const MS_PER_S = 1000;

/**
 * Returns the log line of a message: kind, target, arguments, size, duration and caller, and nothing else of its content. The
 * caller of this function must have redacted the target and the arguments.
 */
function trafficWords(record: TrafficRecord, target: string | undefined, given: string | undefined): string {
  const { direction, sizeBytes, durationMs, client } = record;
  const arrow = direction === 'to-server' ? '→' : '←';
  const facts = [
    [whatOf(record), target, given].filter((part) => part !== undefined).join(' '),
    sizeBytes === undefined ? undefined : sizeWords(sizeBytes),
    durationMs === undefined ? undefined : durationWords(durationMs),
    client,
  ];
  return `${arrow} ${facts.filter((fact) => fact !== undefined).join(' · ')}`;
}

function whatOf({ kind, method, errorCode }: TrafficRecord): string {
  if (kind === 'request' || kind === 'notification') return method;
  const what = kind === 'result' ? 'result' : `error${errorCode === undefined ? '' : ` ${errorCode}`}`;
  return method === '' ? `${what} to no request` : `${what} of ${method}`;
}

function sizeWords(bytes: number): string {
  if (bytes < BYTES_PER_KIB) return `${bytes} B`;
  const kib = bytes / BYTES_PER_KIB;
  return kib < BYTES_PER_KIB ? `${kib.toFixed(1)} KiB` : `${(kib / BYTES_PER_KIB).toFixed(1)} MiB`;
}

const durationWords = (ms: number): string =>
  ms < MS_PER_S ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / MS_PER_S).toFixed(1)} s`;
