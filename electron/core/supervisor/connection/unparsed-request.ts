import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { edgesOf } from './line-edges.ts';

/**
 * What a server asks or tells with a line that is not parsed: the request or notification without its params, where the
 * edges of the line tell for certain. It is a sign of life, and a request is owed an answer.
 */
export function askedIn(head: Buffer, tail: Buffer): JSONRPCMessage | undefined {
  const edges = edgesOf(head, tail);
  const [version, method, id] = ['jsonrpc', 'method', 'id'].map((name) => edges?.members.get(name));
  if (edges?.isOutcome !== false || version !== '"2.0"' || method?.startsWith('"') !== true) return undefined;
  try {
    const asked = { jsonrpc: '2.0' as const, method: String(JSON.parse(method)) };
    return id === undefined ? asked : { ...asked, id: JSON.parse(id) as string | number };
  } catch {
    return undefined; // Digits or controls that JSON does not know.
  }
}
