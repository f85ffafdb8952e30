/** What all lists of one server may hold together: they cross to the window, which keeps and draws them. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_VALUES = 100_000;
/** The limit for one item, because nobody could read a tool of more than this. */
const MAX_ITEM_CHARACTERS = 256 * 1024;
/** Items that are nested deeper cannot be cloned on their way to the window. */
const MAX_ITEM_DEPTH = 64;

interface Size {
  readonly characters: number;
  readonly values: number;
}

/** What is left of the room for a server's lists. */
export class OfferBudget {
  #characters = MAX_CHARACTERS;
  #values = MAX_VALUES;

  /** Takes the room that the item needs, if there is so much. An item that is too large by itself leaves the room as it is. */
  take(item: unknown): 'taken' | 'too-large' | 'full' {
    const size = sizeOf(item);
    if (size === undefined) return 'too-large';
    if (size.characters > this.#characters || size.values > this.#values) return 'full';
    this.#characters -= size.characters;
    this.#values -= size.values;
    return 'taken';
  }
}

/** The size of an item; undefined for what is too large or too deep. There is no recursion, because the nesting may have any depth. */
function sizeOf(item: unknown): Size | undefined {
  let characters = 0;
  let values = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: item, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) characters += name.length;
        waiting.push({ value: inner, depth: depth + 1 });
      }
    }
    if (characters > MAX_ITEM_CHARACTERS || depth > MAX_ITEM_DEPTH || values > MAX_VALUES) return undefined;
  }
  return { characters, values };
}
