import { isJsonObject } from '../../../shared/json-object.ts';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

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
export function bodyOf(message: unknown): Record<string, unknown> {
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
