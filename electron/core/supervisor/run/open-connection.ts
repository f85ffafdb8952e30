import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../clock.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { McpConnection } from '../connection/mcp-connection.ts';
import type { ServerRunHooks } from './server-run.ts';

export interface OpenConnectionDeps {
  readonly clock: Clock;
  readonly clientVersion: string;
}

/** The client of a run on its transport. What it sees and asks goes to the run's hooks. */
export function openConnection(
  transport: Transport,
  { clock, clientVersion }: OpenConnectionDeps,
  hooks: ServerRunHooks,
): McpConnection {
  return new McpConnection({
    transport,
    clock,
    clientVersion,
    limits: () => hooks.settings().calls,
    onUnmatched: (message) => hooks.onNoise(unmatchedNoise(message)),
    onNotification: (notification) => hooks.onNotification(notification),
    onAskedBack: (method) => hooks.onAskedBack(method),
    onBeforeCall: () => hooks.onBeforeCall(),
  });
}

/** A message that answers nothing, as noise. */
function unmatchedNoise(message: unknown): FrameNoise {
  const bytes = Buffer.from(textOf(message));
  return { noise: 'unmatched', excerpt: excerptOf(bytes), bytes: bytes.length };
}

function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    return '(nested too deeply to be written)'; // It was read: parsing takes less of the stack.
  }
}
