import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../../shared/json-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * True if a value has the form of a JSON-RPC message. The result is the same as that of the SDK's `JSONRPCMessageSchema`, which
 * is slower: it tries four forms in succession and copies the message. This function reads only the outermost fields and
 * `_meta`.
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return false;
  if ('method' in value) return isAsking(value);
  return 'result' in value ? isResult(value) : isError(value);
}

/** True for a request or a notification. A notification has no id. */
function isAsking(value: Fields): boolean {
  if (!hasOnly(value, ['jsonrpc', 'method', 'params', 'id'])) return false;
  if ('id' in value && !isId(value['id'])) return false;
  return typeof value['method'] === 'string' && (!('params' in value) || isWithMeta(value['params']));
}

function isResult(value: Fields): boolean {
  return hasOnly(value, ['jsonrpc', 'result', 'id']) && isId(value['id']) && isWithMeta(value['result']);
}

function isError(value: Fields): boolean {
  const { id, error } = value;
  if (!hasOnly(value, ['jsonrpc', 'error', 'id']) || !isJsonObject(error)) return false;
  if ('id' in value && !isId(id)) return false;
  return Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

/**
 * True for an object whose `_meta`, if present, contains a progress token and related task only in the form that the protocol
 * defines.
 */
function isWithMeta(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (!('_meta' in value)) return true;
  const { _meta: meta } = value;
  if (!isJsonObject(meta)) return false;
  const { progressToken, [RELATED_TASK]: task } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return false;
  return task === undefined || (isJsonObject(task) && typeof task['taskId'] === 'string');
}

/**
 * Returns the body of a message: its result, error or params. Returns an empty object if there is none or if it is not an
 * object.
 */
export function bodyIn(message: unknown): Record<string, unknown> {
  const { result, error, params } = isJsonObject(message) ? message : {};
  const body = result ?? error ?? params;
  return isJsonObject(body) ? body : {};
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);

/**
 * True if all keys of `value` are in `names`. Stops at the first other key, because an untrusted object may have a million
 * keys.
 */
function hasOnly(value: Fields, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false;
  return true;
}

/**
 * Matches a request id of the panel that is written as text. The panel counts ids from 0. Numbers of up to fifteen digits are
 * exact, and no app run needs more ids.
 */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Returns the panel's request id for an id or progress token in a server's message; some servers return numeric ids as text.
 * Undefined if the value cannot be an id of the panel.
 */
export function ownIdOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
  return typeof id === 'string' && NUMBER.test(id) ? Number(id) : undefined;
}

/** Number of values (including lists and objects) in a message above which the message is not parsed as a whole. */
export const MAX_VALUES = 100_000;
/** Maximum nesting depth, because recursive code runs out of stack at a few thousand levels. */
export const MAX_DEPTH = 500;

/**
 * Returns the number of values at all depths, including the outermost, and the nesting depth of lists and objects. Works
 * without recursion, because the nesting may be too deep for the stack.
 */
export function sizeOf(value: unknown): { readonly count: number; readonly depth: number } {
  let count = 1;
  let depth = 0;
  for (let level = containersIn([value]); level.length > 0; depth += 1) {
    const inner = level.flatMap((one) => Object.values(one) as unknown[]);
    count += inner.length;
    level = containersIn(inner);
  }
  return { count, depth };
}

const containersIn = (values: readonly unknown[]): object[] =>
  values.filter((value): value is object => typeof value === 'object' && value !== null);
