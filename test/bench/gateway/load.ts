import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { treeUse } from '../../fixtures/gateways/process-tree.ts';
import { SERVER_MARK, type Target } from './targets.ts';

/** What a load cost and how it was served. */
export interface LoadFigures {
  readonly calls: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerS: number;
  /** CPU of the gateway's own process for one call, in microseconds. */
  readonly cpuUs: number;
  /** The same with its servers. */
  readonly treeCpuUs: number;
  readonly servers: number;
  readonly pssBytes: number;
}

/** One call; resolves with whether the answer is its own. */
type Call = (connected: ConnectedClient, mark: string) => Promise<boolean>;

export const echoCall =
  (target: Target): Call =>
  async ({ client }, mark) => {
    const result = await client.callTool({ name: target.toolName('echo'), arguments: { text: mark } });
    return textOf(result as CallToolResult) === mark;
  };

export const payloadCall =
  (target: Target, bytes: number): Call =>
  async ({ client }) => {
    const result = await client.callTool({ name: target.toolName('payload'), arguments: { bytes } });
    return textOf(result as CallToolResult).length === bytes;
  };

/** Clients that are connected, one after the other because some gateways start a process for each. */
export async function connectClients(target: Target, count: number): Promise<ConnectedClient[]> {
  const clients: ConnectedClient[] = [];
  for (let index = 0; index < count; index += 1) clients.push(await connectClient(target));
  return clients;
}

export async function closeClients(clients: readonly ConnectedClient[]): Promise<void> {
  await Promise.all(clients.map(({ close }) => close()));
}

/** Every client makes its calls one after the other, all clients at once. */
export async function runLoad(
  target: Target,
  clients: readonly ConnectedClient[],
  callsEach: number,
  call: Call,
): Promise<LoadFigures> {
  const durations: number[] = [];
  let failures = 0;
  const before = treeUse(target.pid, SERVER_MARK);
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client, who) => {
      for (let index = 0; index < callsEach; index += 1) {
        const since = performance.now();
        const isOwn = await call(client, `${who}/${index}`).catch(() => false);
        durations.push(performance.now() - since);
        if (!isOwn) failures += 1;
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  const after = treeUse(target.pid, SERVER_MARK);
  const calls = durations.length;
  return {
    calls,
    failures,
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
    callsPerS: (calls * 1000) / elapsedMs,
    cpuUs: ((after.rootCpuMs - before.rootCpuMs) * 1000) / calls,
    treeCpuUs: ((after.treeCpuMs - before.treeCpuMs) * 1000) / calls,
    servers: after.servers,
    pssBytes: after.pssBytes,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
