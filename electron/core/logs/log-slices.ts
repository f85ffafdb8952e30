import type { LogFilter, LogLine } from '../../../shared/log-lines.ts';
import type { SoughtText } from './line-levels.ts';
import { atOf, comparePlaces, keyOf, type LinePlace, serverOf, type Side, tailAt } from './line-place.ts';
import type { Slice, SliceBounds } from './line-slice.ts';
import type { ArchivedLine } from './log-archive.ts';

/** Query for one slice of log lines, used for memory as well as for disk. */
export interface SliceQuery extends SliceBounds, SoughtText {
  readonly filter: LogFilter;
  readonly beside: LinePlace | undefined;
}

/** A line for the log page, with its position. */
export interface PlacedLine extends LinePlace {
  readonly line: LogLine;
}

const US_PER_MS = 1000;

/** Returns the position for a point in time. Lines before that time sort before the position; all others sort after it. */
export const momentOf = (epochMs: number): LinePlace => tailAt(Math.ceil(epochMs * US_PER_MS) - 1, 0);

/** Returns the start (`beside`) and the end (`untilUs`) of a slice, limited to the filter's time span if it has one. */
export function sliceSpanOf(
  { from, to }: LogFilter,
  side: Side,
  beside: LinePlace | undefined,
): Pick<SliceQuery, 'beside' | 'untilUs'> {
  const [first, last] = side === 'newer' ? [from, to] : [to, from];
  const edge = first === undefined ? undefined : momentOf(first);
  const isNearer = edge && beside && comparePlaces(beside, edge) > 0 === (side === 'newer');
  return {
    beside: edge && !isNearer ? edge : beside,
    untilUs: last === undefined ? undefined : Math.ceil(last * US_PER_MS),
  };
}

/** Returns the server and, for a replica, the instance that wrote the log named `stream`. */
export function ownerOf(stream: string): Pick<LogLine, 'server' | 'instance'> {
  const server = serverOf(stream);
  return { server: server === '' ? null : server, ...(server !== stream && { instance: stream }) };
}

export function placedLine({ atUs, stream, line, level }: ArchivedLine): PlacedLine {
  const { generation, source, text } = line;
  const place = { atUs, stream };
  return {
    ...place,
    line: {
      key: keyOf(place),
      at: atOf(place),
      ...ownerOf(stream),
      source,
      ...(level !== undefined && { level }),
      ...(stream !== '' && { generation }),
      text,
    },
  };
}

/** Merges two slices of the same query, up to where both were scanned. Of a line in both, the one from `one` is used. */
export function joinSlices(one: Slice<PlacedLine>, other: Slice<PlacedLine>, side: Side): Slice<PlacedLine> {
  const sign = side === 'newer' ? 1 : -1;
  const order = (a: LinePlace, b: LinePlace) => comparePlaces(a, b) * sign;
  const [end] = [one.end, other.end].filter((place) => place !== undefined).sort(order);
  const lines: PlacedLine[] = [];
  let [first, second] = [0, 0];
  for (;;) {
    const [a, b] = [one.lines[first], other.lines[second]];
    const difference = a && b ? order(a, b) : a ? -1 : 1;
    const next = difference <= 0 ? a : b;
    if (!next || (end && order(next, end) > 0)) break;
    lines.push(next);
    if (difference <= 0) first += 1;
    if (difference >= 0) second += 1;
  }
  return { lines, end, scanned: one.scanned + other.scanned };
}
