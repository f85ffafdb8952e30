import { msOf } from '../journal/line-times.ts';
import type { LogFilter } from '../../../shared/log-lines.ts';

/** Position of a line among all logs: by its time, then by its stream. It is unique. */
export interface LinePlace {
  /** Epoch microseconds, see `LineTimes`. */
  readonly atUs: number;
  /** Name of the server or replica; empty for the panel's own log. */
  readonly stream: string;
}

export type Side = 'older' | 'newer';

const KEY = /^(\d{1,16})\/([^/]*)$/;
const HALF = 0.5;

export const keyOf = ({ atUs, stream }: LinePlace): string => `${atUs}/${stream}`;

/** Parses a key; undefined for a foreign one. A key denotes a position even if its line is no longer kept. */
export function placeOf(key: string): LinePlace | undefined {
  const [, atUs, stream = ''] = KEY.exec(key) ?? [];
  return atUs === undefined ? undefined : { atUs: Number(atUs), stream };
}

export function comparePlaces(one: LinePlace, other: LinePlace): number {
  if (one.atUs !== other.atUs) return one.atUs - other.atUs;
  return one.stream < other.stream ? -1 : one.stream > other.stream ? 1 : 0;
}

/**
 * Returns a boundary among the lines of `stream`, in microseconds, that has the same lines before and after it as `place` has.
 */
function boundaryIn(stream: string, place: LinePlace): number {
  return stream > place.stream ? place.atUs - HALF : place.atUs + HALF;
}

/** Returns a boundary like `boundaryIn`, except that a line at exactly this position is on neither side of it. */
export function boundaryBeside(stream: string, place: LinePlace, side: Side): number {
  if (stream !== place.stream) return boundaryIn(stream, place);
  return side === 'newer' ? place.atUs + HALF : place.atUs - HALF;
}

/** Returns the server of a stream; a replica is named `<name>#<number>`. */
export function serverOf(stream: string): string {
  const at = stream.indexOf('#');
  return at === -1 ? stream : stream.slice(0, at);
}

export const atOf = ({ atUs }: LinePlace): number => msOf(atUs);

/** True for filters that allow only traffic, which exists only in memory. */
export const isOfTrafficAlone = ({ sources }: LogFilter): boolean =>
  sources?.every((source) => source === 'traffic') ?? false;

/**
 * Returns a test for the streams that a filter may let pass: those of the named servers and their replicas. Replicas count
 * their generations separately, so a filter with a generation refers to the server's main instance.
 */
export function wantedStreams({ servers, generation }: LogFilter): (stream: string) => boolean {
  const wanted = servers && new Set(servers);
  return (stream) => {
    const server = serverOf(stream);
    return (wanted?.has(server) ?? true) && (generation === undefined || stream === server);
  };
}

/** Stream name of a tail, which is a position after the last line. It sorts after the names of all servers. */
const MARK = '~';

const TAIL = /^~(\d*)$/;

/** Returns the position after all lines up to that time, from which a log is followed. `era` is that of `LineTimes`. */
export function tailAt(atUs: number, era: number): LinePlace {
  return { atUs, stream: era === 0 ? MARK : `${MARK}${era}` };
}

/** Returns the `era` of a tail; undefined for the position of a line. */
export function eraOf({ stream }: LinePlace): number | undefined {
  const [, era] = TAIL.exec(stream) ?? [];
  return era === undefined ? undefined : Number(era);
}
