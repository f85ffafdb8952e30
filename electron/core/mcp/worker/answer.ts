import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ownValue } from '../../../../shared/own-value.ts';
import { boundData, type DataBounds } from '../../../../shared/plain-data.ts';
import { bodyIn, isMessage, MAX_DEPTH, MAX_VALUES, sizeOf } from '../message-form.ts';
import { answerIn } from '../unreadable-answer.ts';
import {
  MAX_BATCH,
  type Answer,
  type ParserBatch,
  type Fault,
  type LongList,
  type Outline,
  type ParserRequest,
  type WholeValue,
} from './questions.ts';

/**
 * Maximum number of values that are parsed from one text. A text with more is cut, because values take a lot of memory, and a
 * thread that runs out of memory ends the whole process.
 */
const MOST_VALUES = 2_000_000;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Maximum items of one list that are kept. */
const MAX_ITEMS = 5000;
/** Maximum characters kept of all items of a list together. The constants below limit the characters and values of one item. */
const MAX_LIST_CHARACTERS = 16 * 1024 * 1024;
const [MAX_ITEM_CHARACTERS, MAX_ITEM_VALUES] = [1024 * 1024, 20_000];
/**
 * Characters kept at the beginning and the end of an error message. Together they are fewer than `PanelError` keeps; otherwise
 * `PanelError` would cut off the text that says how much was omitted.
 */
const [HEAD_CHARACTERS, TAIL_CHARACTERS] = [5000, 2000];
/** Limits for the data of an error, or the params of a message. */
const OUTLINE_BOUNDS: DataBounds = {
  maxDepth: 8,
  maxEntries: 100,
  maxValues: 1000,
  maxTextLength: 7000,
  maxTotalLength: 64 * 1024,
  cutTexts: 'middle',
};

/** Answers a request about a long message's bytes, in the worker or in tests. @throws Error naming why there is no answer */
export function answerTo(bytes: Uint8Array, question: ParserRequest): Answer {
  const { valueCount, beginning } = measured(bytes);
  const read = valueCount > MOST_VALUES ? beginningFor(question, beginning) : valueOf(bytes);
  switch (question.ask) {
    case 'outline':
      return 'fault' in read ? { is: read.fault } : outlineOf(read.value, question.wantsCopy);
    case 'value':
      if (valueCount > MOST_VALUES) return { is: 'too-many', valueCount, outline: undefined };
      return 'fault' in read ? { is: read.fault } : wholeOf(read.value);
    case 'bounded':
      return boundData(bodyIn(known(read)), question.bounds);
    case 'list':
      return listOf(bodyIn(known(read)), question.name);
    case 'batch':
      return batchOf(known(read));
  }
}

/**
 * Parses only the beginning of a text that has too many values. This is enough for a request whose answer is shortened anyway.
 * A request whose answer is forwarded as a whole fails instead.
 */
function beginningFor(question: ParserRequest, beginning: Uint8Array | undefined): Read {
  const isPassedOn = question.ask === 'batch' || (question.ask === 'outline' && question.wantsCopy);
  if (!beginning || isPassedOn) throw new Error(`it has more than ${MOST_VALUES} values`);
  return valueOf(beginning);
}

/**
 * Counts the values of a JSON text, up to one more than may be parsed. If there are more, also returns the beginning of the
 * text up to a comma, with the open brackets closed.
 */
function measured(bytes: Uint8Array): { readonly valueCount: number; readonly beginning?: Uint8Array } {
  const open: number[] = [];
  let valueCount = 1;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) valueCount += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      valueCount += 1;
      // In ASCII, a closing bracket has the code of its opening bracket plus 2.
      open.push(byte + 2);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
    if (open.length > MOST_VALUES) break;
    if (valueCount <= MOST_VALUES || isInText || byte !== COMMA) continue;
    return { valueCount, beginning: Buffer.concat([bytes.subarray(0, at), Buffer.from(open.toReversed())]) };
  }
  return { valueCount };
}

type Read = { readonly value: unknown } | { readonly fault: Fault };

function valueOf(bytes: Uint8Array): Read {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { fault: 'bad-utf8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'not-json' };
  }
}

const FAULTS: Readonly<Record<Fault, string>> = {
  'not-json': 'it is not JSON',
  'bad-utf8': 'it is not UTF-8',
};

function known(read: Read): unknown {
  if ('fault' in read) throw new Error(FAULTS[read.fault]);
  return read.value;
}

function outlineOf(value: unknown, wantsCopy: boolean): Outline {
  if (!isMessage(value)) return { is: 'not-a-message', answer: answerIn(value) };
  const outline = shortened(value);
  return wantsCopy ? { is: 'message', outline, copy: copyOf(value) } : { is: 'message', outline };
}

function shortened(message: JSONRPCMessage): JSONRPCMessage {
  if ('result' in message) return { ...message, result: {} };
  if ('error' in message) {
    const { code, message: words, data } = message.error;
    const bounded = boundData({ ...(data !== undefined && { data }) }, OUTLINE_BOUNDS).value;
    return { ...message, error: { code, message: aroundMiddle(words), ...bounded } };
  }
  return message.params ? { ...message, params: boundData(message.params, OUTLINE_BOUNDS).value } : message;
}

function aroundMiddle(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  const [head, tail] = [text.slice(0, HEAD_CHARACTERS), text.slice(-TAIL_CHARACTERS)];
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  // Cutting may have split a surrogate pair. The conversion to bytes and back turns each half into a replacement character.
  return Buffer.from(`${head}… [${left} bytes left out] …${tail}`).toString();
}

function copyOf(message: JSONRPCMessage): Uint8Array {
  const id = 'id' in message ? { id: message.id } : {};
  return new TextEncoder().encode(JSON.stringify({ ...id, ...message }));
}

function wholeOf(value: unknown): WholeValue {
  const { count, depth } = sizeOf(value);
  if (depth > MAX_DEPTH) return { is: 'too-deep' };
  if (count <= MAX_VALUES) return { is: 'value', value };
  const outline = isMessage(value) ? shortened(value) : undefined;
  return { is: 'too-many', valueCount: count, outline };
}

function listOf(result: Record<string, unknown>, name: string): LongList {
  const [list, nextCursor] = [ownValue(result, name), ownValue(result, 'nextCursor')];
  const cursor = typeof nextCursor === 'string' ? nextCursor : undefined;
  if (!Array.isArray(list)) return { count: undefined, nextCursor: cursor, items: [] };
  const items: (string | undefined)[] = [];
  let characters = 0;
  for (const item of list.slice(0, MAX_ITEMS + 1)) {
    const text = textOf(item);
    characters += text?.length ?? 0;
    if (characters > MAX_LIST_CHARACTERS) break;
    items.push(text);
  }
  return { count: list.length, nextCursor: cursor, items };
}

/** Returns the JSON text of `item`; undefined if it is too large or nested too deeply to serialize. */
function textOf(item: unknown): string | undefined {
  if (sizeOf(item).count > MAX_ITEM_VALUES) return undefined;
  try {
    const text = JSON.stringify(item);
    return text.length > MAX_ITEM_CHARACTERS ? undefined : text;
  } catch {
    return undefined;
  }
}

function batchOf(value: unknown): ParserBatch {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const items = list.slice(0, MAX_BATCH).map((item) => new TextEncoder().encode(JSON.stringify(item)));
  return { count: list.length, items };
}
