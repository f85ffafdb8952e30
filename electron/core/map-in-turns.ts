import { nextTurn } from './next-turn.ts';

/** Characters per event-loop tick; redacting this many takes about a millisecond. */
const TURN_CHARACTERS = 8 * 1024;

/**
 * Maps each item in order and yields to the event loop between batches, so that a long list does not block other work.
 * `charactersOf` returns the size of an item; a batch has about 8192 characters.
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
