import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { edgesOf } from './line-edges.ts';
import { ownIdOf } from './own-id.ts';

/** A line that was meant to answer a request of ours. */
export interface UnreadableAnswer {
  readonly id: RequestId;
  /** What is wrong with it, as a clause. */
  readonly fault: string;
}

/**
 * The answer that a value was meant to be, where that is certain: the version tells it from a log line, which may well
 * have an id and an error.
 */
export function answerIn(value: unknown): UnreadableAnswer | undefined {
  if (!isObject(value) || !('jsonrpc' in value) || 'method' in value || !('id' in value)) return undefined;
  const { id } = value;
  return isOurs(id) ? { id, fault: faultOf(value) } : undefined;
}

/** The request that an unparsed line answers, where its edges tell for certain. `tail` only of a whole line. */
export function answeredIdIn(head: Buffer, tail?: Buffer): RequestId | undefined {
  const edges = edgesOf(head, tail);
  if (edges?.isOutcome !== true || edges.members.has('method')) return undefined;
  const id = edges.members.get('id')?.replaceAll('"', '');
  return edges.members.get('jsonrpc') === '"2.0"' && isOurs(id) ? id : undefined;
}

function isOurs(id: unknown): id is RequestId {
  return ownIdOf(id) !== undefined;
}

function faultOf(answer: object): string {
  const result = 'result' in answer ? answer.result : undefined;
  const error = 'error' in answer ? answer.error : undefined;
  if (!('jsonrpc' in answer) || answer.jsonrpc !== '2.0') return 'its jsonrpc is not "2.0"';
  if ('result' in answer && 'error' in answer) return 'it has both a result and an error';
  if ('result' in answer && !isObject(result)) return `its result is ${kindOf(result)}, not an object`;
  if ('error' in answer && !isRpcError(error)) return 'its error has no code and message';
  const hasOutcome = 'result' in answer || 'error' in answer;
  return hasOutcome ? 'it does not have the form of an answer' : 'it has neither a result nor an error';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRpcError(error: unknown): boolean {
  if (!isObject(error) || !('code' in error) || !('message' in error)) return false;
  return Number.isInteger(error.code) && typeof error.message === 'string';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
