import { nextTurn } from './next-turn.ts';

/** A text of this length takes about a millisecond to be looked through for secrets. */
const TURN_CHARACTERS = 8 * 1024;

/**
 * What `map` makes of each item, in their order; of a long list a bounded part per turn of the event loop, so that nothing
 * else waits for all of it. `charactersOf` tells how much work an item is.
 */
export async function mapInTurns<T, R>(
  items: readonly T[],
  charactersOf: (item: T) => number,
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const mapped: R[] = [];
  let characters = 0;
  for (const [index, item] of items.entries()) {
    characters += charactersOf(item);
    if (characters > TURN_CHARACTERS) {
      await nextTurn();
      characters = charactersOf(item);
    }
    mapped.push(map(item, index));
  }
  return mapped;
}
