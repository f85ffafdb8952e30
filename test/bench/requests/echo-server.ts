import { setImmediate } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { McpConnection } from '../../../electron/core/mcp/mcp-connection.ts';
import { cpuMsSince } from '../harness/cpu.ts';

const CALLS = 20_000;
const AT_ONCE = 50;
const LIMITS = { timeoutMs: 60_000, maxTotalMs: 600_000 };
const RESULT = { content: [{ type: 'text', text: 'hello' }] };

/** Server that answers every request in the next event-loop tick. */
export class EchoTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  #waiting: JSONRPCMessage[] = [];

  start(): Promise<void> {
    return Promise.resolve();
  }
  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) {
      const { id, method, params } = message;
      const serverInfo = { name: 'echo', version: '1' };
      const greeting = { protocolVersion: params?.['protocolVersion'], capabilities: {}, serverInfo };
      this.#answer({ jsonrpc: '2.0', id, result: method === 'initialize' ? greeting : RESULT });
    }
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  #answer(message: JSONRPCMessage): void {
    this.#waiting.push(message);
    if (this.#waiting.length > 1) return;
    void setImmediate().then(() => {
      for (const answer of this.#waiting.splice(0)) this.onmessage?.(answer);
    });
  }
}

/** Connection to such a server. */
export async function connectToEcho(): Promise<McpConnection> {
  const connection = new McpConnection({
    transport: new EchoTransport(),
    clock: systemClock,
    clientVersion: '0.0.0',
    limits: () => LIMITS,
    onUnmatched: () => undefined,
  });
  await connection.connect(new AbortController().signal);
  return connection;
}

/** Microseconds of CPU for one call of 20 000, 50 at a time. */
export async function cpuOfCall(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < CALLS; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => call()));
  return (cpuMsSince(before) * 1000) / CALLS;
}
