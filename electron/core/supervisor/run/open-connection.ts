import type { Clock } from '../../clock.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { McpConnection } from '../connection/mcp-connection.ts';
import { contentWords } from '../connection/passages.ts';
import type { PeerTransport } from '../connection/peer-transport.ts';
import type { RunHooks } from './run.ts';

export interface OpenConnectionDeps {
  readonly clock: Clock;
  readonly clientVersion: string;
}

/** The client of a run on its transport, which the run's owner hears of before anything happens on it. */
export function openConnection(
  transport: PeerTransport,
  { clock, clientVersion }: OpenConnectionDeps,
  hooks: RunHooks,
): McpConnection {
  const { clientCapabilities } = hooks;
  const connection = new McpConnection({
    transport,
    clock,
    clientVersion,
    ...(clientCapabilities && { clientCapabilities }),
    limits: () => hooks.settings().calls,
    onUnmatched: (message, long) =>
      hooks.onNoise(unmatchedNoise(long?.bytes ?? Buffer.from(contentWords(message)))),
  });
  hooks.onConnection(connection);
  return connection;
}

/** A message that answers nothing, as noise. */
function unmatchedNoise(bytes: Buffer): FrameNoise {
  return { noise: 'unmatched', excerpt: excerptOf(bytes), bytes: bytes.length };
}
