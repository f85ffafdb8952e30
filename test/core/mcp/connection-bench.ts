import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { CallLimits } from '../../../electron/core/mcp/open-call.ts';
import type { LongMessage } from '../../../electron/core/mcp/long-message.ts';
import { McpConnection } from '../../../electron/core/mcp/mcp-connection.ts';
import type { PeerTransport } from '../../../electron/core/mcp/peer-transport.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Server that shakes hands by itself and says everything else when a test says so. */
export class ScriptedTransport implements PeerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onlongmessage?: (message: LongMessage) => void;
  setProtocolVersion?: (version: string) => void;
  /** Fields that differ from the plainest greeting. */
  greeting: Record<string, unknown> = {};
  /** What it says in place of a greeting. */
  refused: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
  /** Its whole answer to `server/discover`; without one it says nothing. */
  discovered: object | undefined;
  readonly sent: JSONRPCMessage[] = [];
  /** Error with which nothing more leaves, once it is set. */
  refusal: Error | undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }
  send(message: JSONRPCMessage): Promise<void> {
    if (this.refusal) return Promise.reject(this.refusal);
    this.sent.push(message);
    if ('method' in message && 'id' in message && message.method === 'server/discover' && this.discovered) {
      const answer = { jsonrpc: '2.0' as const, id: message.id, ...this.discovered } as JSONRPCMessage;
      queueMicrotask(() => this.say(answer));
    }
    if ('method' in message && 'id' in message && message.method === 'initialize') {
      const result = {
        protocolVersion: message.params!['protocolVersion'],
        capabilities: {},
        serverInfo: { name: 'scripted', version: '1' },
        ...this.greeting,
      };
      const { id } = message;
      const { refused: error } = this;
      queueMicrotask(() => this.say(error ? { jsonrpc: '2.0', id, error } : { jsonrpc: '2.0', id, result }));
    }
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  say(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }
  answer(id: RequestId, result: Record<string, unknown> = {}): void {
    this.say({ jsonrpc: '2.0', id, result });
  }
  progress(progressToken: RequestId): void {
    this.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } });
  }
  cancel(requestId: RequestId, reason?: string): void {
    this.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
  }
  /** Id of the last request that was sent. */
  get lastId(): RequestId {
    const request = this.sent.findLast((message) => 'method' in message && 'id' in message);
    return (request as { id: RequestId }).id;
  }
  /** Ids of the requests that were called off. */
  get cancelled(): unknown[] {
    return this.sent.flatMap((message) =>
      'method' in message && message.method === 'notifications/cancelled'
        ? [message.params?.['requestId']]
        : [],
    );
  }
}

export interface BenchOptions {
  readonly transport?: ScriptedTransport;
  readonly clientCapabilities?: object | undefined;
  readonly clock?: ReturnType<typeof createFakeClock>;
}

/**
 * Connection that has shaken hands, on a clock that stands still. `settings` may be changed during the test.
 */
export async function createConnectionBench(
  limits: CallLimits,
  { transport = new ScriptedTransport(), clientCapabilities, clock = createFakeClock() }: BenchOptions = {},
) {
  const settings = { calls: limits };
  const unmatched: JSONRPCMessage[] = [];
  const connection = new McpConnection({
    transport,
    clock,
    clientVersion: '0.0.0',
    ...(clientCapabilities && { clientCapabilities }),
    limits: () => settings.calls,
    onUnmatched: (message) => unmatched.push(message),
  });
  await connection.connect(new AbortController().signal);
  return { clock, transport, settings, connection, unmatched };
}

/** Outcome of a promise so far: its value, the code of its error, or `pending`. */
export function outcomeOf(promise: Promise<unknown>): { readonly now: unknown } {
  const outcome: { now: unknown } = { now: 'pending' };
  promise.then(
    (value) => (outcome.now = value),
    (error: { code?: unknown }) => (outcome.now = error.code ?? error),
  );
  return outcome;
}
