import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../../shared/json-object.ts';
import { EDGE_BYTES, edgesOf } from './line-edges.ts';
import { ownIdOf } from './message-form.ts';

/** A malformed line that was meant to answer a request of the panel. */
export interface UnreadableAnswer {
  readonly id: RequestId;
  /** What is wrong with the line, as a clause like "it is not JSON". */
  readonly fault: string;
}

/**
 * Returns which answer a malformed value was meant to be; undefined if that is not certain. Only a value with `jsonrpc` counts,
 * because a line of a log may also have an id and an error.
 */
export function answerIn(value: unknown): UnreadableAnswer | undefined {
  if (!isJsonObject(value) || !('jsonrpc' in value) || 'method' in value || !('id' in value))
    return undefined;
  const { id } = value;
  return isOurs(id) ? { id, fault: faultOf(value) } : undefined;
}

/**
 * Returns which answer an unparsed line was meant to be; undefined unless its first and last bytes show that with certainty.
 * The bytes in between are not read, because searching a megabyte takes too long. `tail` is only given for a complete line.
 */
export function unparsedAnswer(fault: string, head: Buffer, tail?: Buffer): UnreadableAnswer | undefined {
  const edges = edgesOf(head.subarray(0, EDGE_BYTES), tail?.subarray(-EDGE_BYTES));
  const isOutcome = edges?.body === 'result' || edges?.body === 'error';
  if (!isOutcome || edges.members.has('method')) return undefined;
  const id = edges.members.get('id')?.replaceAll('"', '');
  return edges.members.get('jsonrpc') === '"2.0"' && isOurs(id) ? { id, fault } : undefined;
}

function isOurs(id: unknown): id is RequestId {
  return ownIdOf(id) !== undefined;
}

function faultOf(answer: object): string {
  const result = 'result' in answer ? answer.result : undefined;
  const error = 'error' in answer ? answer.error : undefined;
  if (!('jsonrpc' in answer) || answer.jsonrpc !== '2.0') return 'its jsonrpc is not "2.0"';
  if ('result' in answer && 'error' in answer) return 'it has both a result and an error';
  if ('result' in answer && !isJsonObject(result)) return `its result is ${kindOf(result)}, not an object`;
  if ('error' in answer && !isRpcError(error)) return 'its error has no code and message';
  const hasOutcome = 'result' in answer || 'error' in answer;
  return hasOutcome ? 'it does not have the form of an answer' : 'it has neither a result nor an error';
}

function isRpcError(error: unknown): boolean {
  if (!isJsonObject(error) || !('code' in error) || !('message' in error)) return false;
  return Number.isInteger(error.code) && typeof error.message === 'string';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
