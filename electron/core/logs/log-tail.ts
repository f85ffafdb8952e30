import type { LinePlace } from './line-place.ts';

/** Behind the names of all servers. */
const MARK = '~';
const TAIL = /^~(\d*)$/;

/** Behind everything that has come up to that place, from where on a log is followed. `era` is that of `LineTimes`. */
export function tailAt(atUs: number, era: number): LinePlace {
  return { atUs, stream: era === 0 ? MARK : `${MARK}${era}` };
}

/** Undefined for the place of a line. */
export function eraOf({ stream }: LinePlace): number | undefined {
  const [, era] = TAIL.exec(stream) ?? [];
  return era === undefined ? undefined : Number(era);
}
