import { isJsonObject } from '../../../shared/json-object.ts';
import type { Traffic } from '../../../shared/log-lines.ts';
import type { MessageContent } from './traffic-contents.ts';

/** A message on the connection to a server, as the log needs it. */
export interface PassingMessage {
  readonly direction: Traffic['direction'];
  /** The message; only its outermost fields were checked. */
  readonly message: object;
  /** Content of the message; undefined when it was too long to be stored. */
  readonly content: MessageContent | undefined;
  readonly asker: { readonly client?: string | undefined; readonly isOwn: boolean } | undefined;
}

export type LoggedMessageId = string | number;

/** Summary of a message for the log. */
export interface MessageSummary {
  readonly kind: Traffic['kind'];
  readonly id: LoggedMessageId | undefined;
  /** Method of the message; undefined for an answer. */
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly errorCode: number | undefined;
  /** Id of the request that a notification refers to: progress or cancellation. */
  readonly about: LoggedMessageId | undefined;
}

/** Maximum characters of names and addresses, because longer ones are unreadable in a line. */
const MAX_NAME_CHARACTERS = 1000;

/** Reads methods and targets of a message, and nothing else of its content. */
export function readMessage(message: object): MessageSummary {
  const { id, method, params, error } = message as Record<string, unknown>;
  const about = isJsonObject(params) ? (params['requestId'] ?? params['progressToken']) : undefined;
  const code = isJsonObject(error) ? error['code'] : undefined;
  return {
    kind: kindOf(message),
    id: toId(id),
    method: typeof method === 'string' ? short(method) : undefined,
    target: isJsonObject(params) ? targetIn(params) : undefined,
    errorCode: typeof code === 'number' ? code : undefined,
    about: toId(about),
  };
}

function kindOf(message: object): Traffic['kind'] {
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  return 'error' in message ? 'error' : 'result';
}

/** Returns the name of a tool or prompt, or the URI of a resource. */
function targetIn({ name, uri }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name === 'string') return short(name);
  return typeof uri === 'string' ? short(uri) : undefined;
}

/** Copies a text that is cut, because a slice would keep the whole text in memory. */
function short(text: string): string {
  if (text.length <= MAX_NAME_CHARACTERS) return text;
  return `${Buffer.from(text.slice(0, MAX_NAME_CHARACTERS)).toString()}…`;
}

const toId = (id: unknown): LoggedMessageId | undefined =>
  typeof id === 'string' || typeof id === 'number' ? id : undefined;
