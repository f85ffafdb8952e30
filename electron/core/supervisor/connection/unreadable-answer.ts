import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A line that was meant to answer a request of ours. */
export interface UnreadableAnswer {
  readonly id: RequestId;
  /** What is wrong with it, as a clause. */
  readonly fault: string;
}

/** Ids of ours are numbers, counted from 0; some servers give them back as text. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;
const MEMBER = String.raw`"(jsonrpc|id)"\s*:\s*("[^"\\]*"|\d+)\s*`;
const LEADING_MEMBER = new RegExp(String.raw`\s*${MEMBER},`, 'y');
const OUTCOME = /\s*"(?:result|error)"\s*:/y;
const TRAILING_MEMBERS = new RegExp(String.raw`(?:,\s*${MEMBER})+\}\s*$`);

/**
 * The answer that a value was meant to be, where that is certain: the version tells it from a log line, which may well
 * have an id and an error.
 */
export function answerIn(value: unknown): UnreadableAnswer | undefined {
  if (!isObject(value) || !('jsonrpc' in value) || 'method' in value || !('id' in value)) return undefined;
  const { id } = value;
  return isOurs(id) ? { id, fault: faultOf(value) } : undefined;
}

/**
 * The request that an unparsed line answers, where its first or last bytes tell for certain. The id stands in front of
 * the result, or behind it: there the TypeScript SDK writes it. `tail` only where the line is whole, since the end of a
 * part may be that of anything within the result.
 */
export function answeredIdIn(head: Buffer, tail?: Buffer): RequestId | undefined {
  // Structure is ASCII, whatever the text between it is.
  const text = head.toString('latin1');
  if (!/^\s*\{/.test(text)) return undefined;
  const members = new Map<string, string>();
  let at = text.indexOf('{') + 1;
  for (let member = matchAt(LEADING_MEMBER, text, at); member; member = matchAt(LEADING_MEMBER, text, at)) {
    keep(members, member);
    at += member[0].length;
  }
  if (!matchAt(OUTCOME, text, at)) return undefined;
  const [trailing = ''] = TRAILING_MEMBERS.exec(tail?.toString('latin1') ?? '') ?? [];
  for (const member of trailing.matchAll(new RegExp(MEMBER, 'g'))) keep(members, member);
  const id = members.get('id');
  return members.get('jsonrpc') === '2.0' && isOurs(id) ? id : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function keep(members: Map<string, string>, [, key = '', value = '']: RegExpMatchArray): void {
  if (!members.has(key)) members.set(key, value.replaceAll('"', ''));
}

function isOurs(id: unknown): id is RequestId {
  return (typeof id === 'number' || typeof id === 'string') && NUMBER.test(String(id));
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
