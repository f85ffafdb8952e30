import { ownValue } from '../../shared/own-value.ts';
const LEAP = 10;

/**
 * Where a cursor stands after a key, undefined where the key means nothing or there is nothing to stand on. A cursor that is
 * not there yet comes in at the last stop.
 * @param stops where it can stand, ascending: instants, or numbers of buckets
 */
export function movedStop(at: number | undefined, key: string, stops: readonly number[]): number | undefined {
  const found = at === undefined ? stops.length : stops.findIndex((one) => one >= at);
  const place = found === -1 ? stops.length : found;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: stops[place] === at ? place + 1 : place,
    PageUp: place - LEAP,
    PageDown: place + LEAP,
    Home: 0,
    End: stops.length - 1,
  };
  const moved = ownValue(moves, key);
  return moved === undefined ? undefined : stops[Math.max(0, Math.min(stops.length - 1, moved))];
}
