import { parsedJson } from '../../../shared/parsed.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { INTERNAL_ERROR } from '../mcp/rpc-error.ts';
import type { MessageId } from '../gateway/types.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';

/**
 * A JSON-RPC message from the client or the server, with the fields that the bridge uses. The bridge is the program that
 * connects a stdio client to the panel.
 */
export interface Message {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/** A message with the line in which it arrived, which is passed on unchanged. */
export interface Line {
  readonly message: Message;
  readonly text: string;
}

/** Result of sending a message. */
export type Delivery =
  /** The other side has received it; an answer, if any, was passed on. */
  | 'taken'
  /** The message was never sent. */
  | 'unsent'
  /** The other side does not know the session, and has done nothing. */
  | 'no-session'
  /** The message was sent, and nothing came back. */
  | 'lost';

/** One of the bridge's two ways to the server: through the panel, or through a server process that it started itself. */
export interface Link {
  readonly kind: 'panel' | 'own';
  /** True if a session was opened over this link with the client's `initialize` request. */
  isGreeted: boolean;
  /** Sends messages in the order of the calls. Never rejects. */
  send(line: Line): Promise<Delivery>;
  /** Ends the session, and everything that was started for it. Never rejects. */
  close(): Promise<void>;
}

/** Receives what arrives over a link. */
export interface LinkEvents {
  /** Called with each message. Resolves once the client has read enough of the earlier ones for the link to pass on the next. */
  onLine(line: Line): Promise<void>;
  /** Called when the session has ended on the other side. */
  onEnd(why: string): void;
}

/** Maximum length of a message of either side, in characters; the same as in the panel. */
export const MAX_LINE = 16 * 1024 * 1024;

/** Reads the messages of a line; a batch contains several. Undefined for anything that is not a JSON object. */
export function messagesIn(text: string): readonly Line[] | undefined {
  const value = parsedJson(text);
  if (isJsonObject(value)) return [{ message: value, text }];
  return Array.isArray(value) && value.every(isJsonObject)
    ? value.map((message) => lineOf(message))
    : undefined;
}

export function lineOf(message: Message): Line {
  return { message, text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
}

/** Returns the bridge's answer to an unsent request, in the form of an answer that the gateway gives instead of a server. */
export const notDone = (id: MessageId, why: string): Line =>
  failure(id, 'UNREACHABLE', `${why} Nothing was done.`);

/** Answer of the bridge itself to a request that was sent but has lost its answer. */
export const outcomeUnknown = (id: MessageId, why: string): Line =>
  failure(id, 'OUTCOME_UNKNOWN', `${why} The answer is lost; the call may have taken effect.`);

function failure(id: MessageId, code: ErrorCode, message: string): Line {
  return lineOf({ id, error: { code: INTERNAL_ERROR, message, data: { code } } });
}

/** Answer to a message that cannot be read. */
export const unreadable: Line = {
  message: {},
  text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
};

const TOO_LONG = '(a line that is too long)';

/**
 * Returns the lines of a stream. The next chunk of the stream is read only when the caller asks for another line.
 * @param maxCharacters maximum length of a line; a longer line is replaced by a short text that is not a JSON-RPC message
 */
export async function* linesOf(stream: AsyncIterable<Buffer>, maxCharacters: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(length > maxCharacters ? '' : first);
    length += first.length;
    for (const other of others) {
      yield length > maxCharacters ? TOO_LONG : parts.join('');
      parts = [other];
      length = other.length;
    }
  }
  if (length > 0) yield length > maxCharacters ? TOO_LONG : parts.join('');
}
