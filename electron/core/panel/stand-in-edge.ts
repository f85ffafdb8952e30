import type { LegacyEdge } from '../gateway/edge/legacy-edge-options.ts';
import type { Reply } from '../gateway/types.ts';

/** Until the edge is there: a client is told that nothing is behind the address. */
export function createEdge(): LegacyEdge {
  const refuse = (reply: Reply) => reply.status(503, { error: 'The panel passes nothing on yet.' });
  return {
    post: (_request, _message, reply) => refuse(reply),
    listen: (_request, reply) => refuse(reply),
    end: (_request, reply) => refuse(reply),
    views: () => [],
    clientRevoked: () => undefined,
    dispose: () => undefined,
  };
}
