import type { LinePlace } from './line-place.ts';

/** Stream name of a tail. It sorts after the names of all servers. */
const MARK = '~';
const TAIL = /^~(\d*)$/;

/** Returns the place after all lines up to that time, from which a log is followed. `era` is that of `LineTimes`. */
export function tailAt(atUs: number, era: number): LinePlace {
  return { atUs, stream: era === 0 ? MARK : `${MARK}${era}` };
}

/** Era of a tail; undefined for the place of a line. */
export function eraOf({ stream }: LinePlace): number | undefined {
  const [, era] = TAIL.exec(stream) ?? [];
  return era === undefined ? undefined : Number(era);
}
