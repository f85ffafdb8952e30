import { msOf } from '../journal/line-times.ts';

/** Place of a line among those of all logs: by its time, then by whose it is. No two lines have the same. */
export interface LinePlace {
  /** Microseconds since 1970, see `LineTimes`. */
  readonly atUs: number;
  /** Name of the server, or of a further process of it; empty for the panel's own. */
  readonly stream: string;
}

export type Side = 'older' | 'newer';

const KEY = /^(\d{1,16})\/([^/]*)$/;
const HALF = 0.5;

export const keyOf = ({ atUs, stream }: LinePlace): string => `${atUs}/${stream}`;

/** Undefined for what is no key of ours. A key says where its line stood, whether or not that is kept any more. */
export function placeOf(key: string): LinePlace | undefined {
  const [, atUs, stream = ''] = KEY.exec(key) ?? [];
  return atUs === undefined ? undefined : { atUs: Number(atUs), stream };
}

export function comparePlaces(one: LinePlace, other: LinePlace): number {
  if (one.atUs !== other.atUs) return one.atUs - other.atUs;
  return one.stream < other.stream ? -1 : one.stream > other.stream ? 1 : 0;
}

/** Between two places of `stream`: all its lines on the one side of `place` are on the one side of it. */
function boundaryIn(stream: string, place: LinePlace): number {
  return stream > place.stream ? place.atUs - HALF : place.atUs + HALF;
}

/** The same, with a line at that very place left out of both sides. */
export function boundaryBeside(stream: string, place: LinePlace, side: Side): number {
  if (stream !== place.stream) return boundaryIn(stream, place);
  return side === 'newer' ? place.atUs + HALF : place.atUs - HALF;
}

/** A further process of a server is `<name>#<number>`. */
export function serverOf(stream: string): string {
  const at = stream.indexOf('#');
  return at === -1 ? stream : stream.slice(0, at);
}

export const atOf = ({ atUs }: LinePlace): number => msOf(atUs);
