const LEAP = 10;

/**
 * Instant after a key, undefined where the key means nothing or there is nothing to stand on. A cursor that is not there
 * yet comes in at the newest instant.
 * @param instants those that can be stood on, oldest first
 */
export function movedInstant(
  at: number | undefined,
  key: string,
  instants: readonly number[],
): number | undefined {
  const found = at === undefined ? instants.length : instants.findIndex((one) => one >= at);
  const place = found === -1 ? instants.length : found;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: instants[place] === at ? place + 1 : place,
    PageUp: place - LEAP,
    PageDown: place + LEAP,
    Home: 0,
    End: instants.length - 1,
  };
  const moved = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return moved === undefined ? undefined : instants[Math.max(0, Math.min(instants.length - 1, moved))];
}
