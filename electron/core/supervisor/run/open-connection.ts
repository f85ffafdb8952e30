import type { Clock } from '../../clock.ts';
import { outputExcerpt, EXCERPT_BYTES, type MalformedOutput } from '../../mcp/malformed-output.ts';
import { McpConnection } from '../../mcp/mcp-connection.ts';
import { contentWords } from '../../mcp/connection-traffic.ts';
import type { PeerTransport } from '../../mcp/peer-transport.ts';
import type { RunHooks } from './run.ts';

export interface OpenConnectionDeps {
  readonly clock: Clock;
  readonly clientVersion: string;
  /** Default 0. */
  readonly firstRequestId?: number | undefined;
}

/** Creates the MCP client of a run on its transport. `onConnection` is called before any traffic. */
export function openConnection(
  transport: PeerTransport,
  { clock, clientVersion, firstRequestId }: OpenConnectionDeps,
  hooks: RunHooks,
): McpConnection {
  const { clientCapabilities } = hooks;
  const connection = new McpConnection({
    transport,
    clock,
    clientVersion,
    firstRequestId,
    ...(clientCapabilities && { clientCapabilities }),
    limits: () => hooks.settings().calls,
    onUnmatched: (message, long) => {
      const head = long?.head(EXCERPT_BYTES) ?? Buffer.from(contentWords(message));
      hooks.onMalformed(unmatchedNoise(head, long?.byteLength ?? head.length));
    },
  });
  hooks.onConnection(connection);
  return connection;
}

/** Describes a response without a request as malformed output. */
function unmatchedNoise(head: Buffer, bytes: number): MalformedOutput {
  return { noise: 'unmatched', excerpt: outputExcerpt(head), bytes };
}
