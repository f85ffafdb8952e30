/**
 * What a request of the connection costs: 20 000 calls, 50 at a time, to a server in memory that answers each at once. The
 * rows beside it are the same for the SDK's own client, so that the ratio says something on any machine.
 * Prints a table, and one line of JSON last.
 */
import { setImmediate } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../shared/error-codes.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { McpConnection } from '../../electron/core/supervisor/connection/mcp-connection.ts';
import { median, report } from './supervision/figures.ts';

const CALLS = 20_000;
const AT_ONCE = 50;
const ROUNDS = 5;
const LIMITS = { timeoutMs: 60_000, maxTotalMs: 600_000 };
const PARAMS = { name: 'echo', arguments: { text: 'hello' } };
const RESULT = { content: [{ type: 'text', text: 'hello' }] };

/** A server that answers whatever it is asked, in the next turn of the loop. */
class EchoTransport implements Transport {
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

/** Microseconds of CPU for one call. */
async function measure(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < CALLS; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => call()));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

const connection = new McpConnection({
  transport: new EchoTransport(),
  clock: systemClock,
  clientVersion: '0.0.0',
  limits: () => LIMITS,
  onUnmatched: () => undefined,
});
await connection.connect(new AbortController().signal);
const client = new Client({ name: 'bench', version: '0.0.0' });
await client.connect(new EchoTransport());

const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const own = await measure(() => connection.request('tools/call', PARAMS));
  const sdk = await measure(() =>
    client.request({ method: 'tools/call', params: PARAMS }, ResultSchema, { onprogress: () => undefined }),
  );
  // The first round is not counted, because in it the code is compiled.
  if (round === 0) continue;
  ours.push(own);
  theirs.push(sdk);
}
connection.end(new PanelError('STOPPED', 'The benchmark is over.'));
await client.close();

report(
  'requests',
  [
    { what: 'a request of the connection, CPU', unit: 'µs', measured: median(ours) },
    { what: "the same of the SDK's client, CPU", unit: 'µs', measured: median(theirs) },
    { what: 'ratio', unit: '×', measured: median(ours) / median(theirs) },
  ],
  [],
);
