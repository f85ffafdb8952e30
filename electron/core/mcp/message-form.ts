import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../../shared/json-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a value has the form of a message: the verdict of the SDK's `JSONRPCMessageSchema`, which tries four forms one
 * after the other and copies whatever a message holds. This looks at its outermost fields and at `_meta` alone.
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return false;
  if ('method' in value) return isAsking(value);
  return 'result' in value ? isResult(value) : isError(value);
}

/** A request, or a notification where it has no id. */
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

/** An object whose `_meta`, if it has one, holds what the protocol says about progress and tasks. */
function isWithMeta(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (!('_meta' in value)) return true;
  const { _meta: meta } = value;
  if (!isJsonObject(meta)) return false;
  const { progressToken, [RELATED_TASK]: task } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return false;
  return task === undefined || (isJsonObject(task) && typeof task['taskId'] === 'string');
}

/** The long member of a message; without one, or where it is no object, an empty one. */
export function bodyIn(message: unknown): Record<string, unknown> {
  const { result, error, params } = isJsonObject(message) ? message : {};
  const body = result ?? error ?? params;
  return isJsonObject(body) ? body : {};
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);

/** Ends at the first name that is none of these: an object of a stranger may have a million. */
function hasOnly(value: Fields, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false;
  return true;
}

/** Ids are counted from 0; fifteen digits are more than anybody counts, and exact. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * The number of ours that an id or a progress token in a server's message stands for: some servers give numbers back as
 * text. Undefined for what cannot be one of ours.
 */
export function ownIdOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
  return typeof id === 'string' && NUMBER.test(id) ? Number(id) : undefined;
}

/** More values than this are nothing that anybody could use as a whole. */
export const MAX_VALUES = 100_000;
/** Programs that call themselves for each level run out of stack at some thousands. */
export const MAX_DEPTH = 500;

/**
 * The number of values at all depths, the outermost included, and of levels of lists and objects. Without recursion,
 * because the nesting may have any depth.
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
