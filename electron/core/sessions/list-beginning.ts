const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Of the members of a result: `{"result":{"tools":` */
const MEMBER_DEPTH = 2;

/**
 * The objects that stand whole in the list `name` of a result, of which only the beginning came: at most `count` of them.
 * What is no JSON ends them.
 */
export function itemsAtBeginning(bytes: Buffer, name: string, count: number): readonly unknown[] {
  const items: unknown[] = [];
  for (const [start, end] of objectsIn(bytes, name)) {
    if (items.length >= count) break;
    try {
      items.push(JSON.parse(bytes.toString('utf8', start, end)));
    } catch {
      break; // Brackets that match are not yet JSON.
    }
  }
  return items;
}

/** Where the objects of the list begin and end. */
function* objectsIn(bytes: Buffer, name: string): Generator<readonly [start: number, end: number]> {
  let depth = 0;
  let lastText = '';
  let isInList = false;
  let itemStart = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (depth === MEMBER_DEPTH) lastText = bytes.toString('utf8', at + 1, end);
      at = end;
    } else if (byte === COMMA) {
      // It was a value, not the name of the next member.
      if (depth === MEMBER_DEPTH) lastText = '';
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === MEMBER_DEPTH) isInList = byte === OPEN_LIST && lastText === name;
      if (depth === MEMBER_DEPTH + 1) itemStart = at;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (isInList && depth === MEMBER_DEPTH + 1 && byte === CLOSE_OBJECT) yield [itemStart, at + 1];
      if (isInList && depth <= MEMBER_DEPTH) return;
    }
  }
}

/** The index of the closing quote; of the last byte where there is none. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
