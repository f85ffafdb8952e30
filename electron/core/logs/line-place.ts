import { msOf } from '../journal/line-times.ts';
import type { LogFilter } from '../../../shared/log-lines.ts';

/** Unique position of a line among all logs. Positions are ordered by time, then by the name of the log. */
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

/** Parses a key, the string form of a position; undefined if malformed. The line at the position may no longer exist. */
export function placeOf(key: string): LinePlace | undefined {
  const [, atUs, stream = ''] = KEY.exec(key) ?? [];
  return atUs === undefined ? undefined : { atUs: Number(atUs), stream };
}

export function comparePlaces(one: LinePlace, other: LinePlace): number {
  if (one.atUs !== other.atUs) return one.atUs - other.atUs;
  return one.stream < other.stream ? -1 : one.stream > other.stream ? 1 : 0;
}

/** Returns a time in microseconds, never that of a line, that separates the lines of `stream` before and after `place`. */
function boundaryIn(stream: string, place: LinePlace): number {
  return stream > place.stream ? place.atUs - HALF : place.atUs + HALF;
}

/** Like `boundaryIn`, but if a line of this log is exactly at `place`, it is excluded on either side. */
export function boundaryBeside(stream: string, place: LinePlace, side: Side): number {
  if (stream !== place.stream) return boundaryIn(stream, place);
  return side === 'newer' ? place.atUs + HALF : place.atUs - HALF;
}

/** Returns the server whose output a log contains. The log of a replica is named `<name>#<number>`. */
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

/** Used instead of a log name in the position after the last line, because it is sorted after the names of all servers. */
const MARK = '~';

const TAIL = /^~(\d*)$/;

/**
 * Returns the position after all lines up to this time, from which new lines can be followed. `era` counts how often the clock
 * had been set back by then; see `LineTimes`.
 */
export function tailAt(atUs: number, era: number): LinePlace {
  return { atUs, stream: era === 0 ? MARK : `${MARK}${era}` };
}

/** Returns the `era` in a position created by `tailAt`; undefined for the position of a line. */
export function eraOf({ stream }: LinePlace): number | undefined {
  const [, era] = TAIL.exec(stream) ?? [];
  return era === undefined ? undefined : Number(era);
}
