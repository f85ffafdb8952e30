const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BLANKS: ReadonlySet<number | undefined> = new Set([32, 9, 10, 13]);

/** The panel sends none, so nothing has to answer with one; revision 2025-03-26 allows them. */
export const MAX_BATCH = 100;

/** Whether JSON text is a list of more than `max` items. Looks no further, and builds nothing: a list may have millions. */
export function hasMoreItems(json: Uint8Array, max: number): boolean {
  let at = 0;
  while (BLANKS.has(json[at])) at += 1;
  if (json[at] !== OPEN_LIST) return false;
  let depth = 0;
  let items = 1;
  for (; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA && depth === 1) items += 1;
    if (items > max) return true;
    if (depth === 0) return false;
  }
  return false;
}

/** Of the quote that ends the text which begins at `at`. */
function endOfText(json: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}
