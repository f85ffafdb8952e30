import { isJsonObject } from '../../../../shared/json-object.ts';
import type { InboundMessage } from '../types.ts';

/** What a message of a client is, for an edge of the eras up to 2025-11-25. */
export type MessageKind =
  /** It claims a later era, which this edge does not speak. */
  | 'modern'
  | 'initialize'
  | 'request'
  | 'notification'
  /** A result or an error: the answer to what the server asked. */
  | 'answer'
  | 'invalid';

/** The first version that is no revision of the older protocol but one of another era. */
const FIRST_MODERN_VERSION = '2026-07-28';
const VERSION_CLAIM = 'io.modelcontextprotocol/protocolVersion';

/** By the body first; then by the header, from the first modern version on. @param header `MCP-Protocol-Version` */
export function classify(message: InboundMessage, header: string | undefined): MessageKind {
  const { method, id } = message;
  if (method === undefined) return isAnswer(message) ? 'answer' : 'invalid';
  if (method === 'server/discover' || claimsModern(message) || isModern(header)) return 'modern';
  if (id === undefined) return 'notification';
  return method === 'initialize' ? 'initialize' : 'request';
}

function isAnswer({ id, result, error }: InboundMessage): boolean {
  return id !== undefined && (result !== undefined || error !== undefined);
}

function claimsModern({ params }: InboundMessage): boolean {
  const meta = params?.['_meta'];
  return isJsonObject(meta) && isModern(meta[VERSION_CLAIM]);
}

/** Versions are dates, which sort as texts do. */
function isModern(version: unknown): boolean {
  return typeof version === 'string' && version >= FIRST_MODERN_VERSION;
}
