import { partsBetween } from '../../mcp/bytes.ts';
import type { LongMessage } from '../../mcp/long-message.ts';
import type { MessageId } from '../types.ts';

/** A long answer of a server with the id of the client's request in the place of ours. Nothing of it is parsed or copied. */
export function withId({ parts, idSpan }: LongMessage, id: MessageId): readonly Uint8Array[] {
  if (!idSpan) throw new Error('An answer without an id cannot be the answer to a request.');
  const before = partsBetween(parts, 0, idSpan.start);
  return [...before, Buffer.from(JSON.stringify(id)), ...partsBetween(parts, idSpan.end, Infinity)];
}

/** The answer to a request, of the JSON text of its result. */
export function asResult(result: Uint8Array, id: MessageId): readonly Uint8Array[] {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result, Buffer.from('}')];
}
