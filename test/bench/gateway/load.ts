import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { connectClient, type Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { startNode } from '../../fixtures/gateways/start-node.ts';
import { treeUse } from '../../fixtures/gateways/process-tree.ts';
import { quantile } from '../harness/figures.ts';
import { RawClient } from './raw-client.ts';
import { SERVER_SCRIPT, type OwnTarget, type Target } from './targets.ts';

const FLOOD_CALLS = 500;
const FLOOD_READY_MS = 30_000;

/** Client that is connected to a target. */
export interface Caller {
  /** First text of the tool's answer; empty without one. */
  callTool(name: string, args: object): Promise<string>;
  close(): Promise<void>;
}

/** Kind of client. `sdk`: like most programs. `raw`: over plain sockets, so cheap that it hides no gateway's cost. */
export type CallerKind = 'sdk' | 'raw';

/**
 * Callers that share the tokens of the target, connected one after the other, because some gateways start a process for
 * each. The caller closes them.
 */
export async function connectCallers(target: Target, kind: CallerKind, count: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let index = 0; index < count; index += 1) {
    const token = target.tokens?.[index % target.tokens.length] ?? target.token;
    callers.push(await (kind === 'sdk' ? sdkCaller : rawCaller)({ ...target, token }));
  }
  return callers;
}

export async function closeCallers(callers: readonly Caller[]): Promise<void> {
  await Promise.all(callers.map((caller) => caller.close()));
}

async function sdkCaller(endpoint: Endpoint): Promise<Caller> {
  const { client, close } = await connectClient(endpoint);
  const callTool = async (name: string, args: object) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [first] = (result as CallToolResult).content;
    return first?.type === 'text' ? first.text : '';
  };
  return { callTool, close };
}

async function rawCaller(endpoint: Endpoint): Promise<Caller> {
  const client = new RawClient(endpoint);
  await client.open();
  return client;
}

/** Cost of a load, and how it was served. */
export interface LoadFigures {
  readonly calls: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerS: number;
  /** Microseconds from one call to the next, over all callers. */
  readonly loadUs: number;
  /** CPU of the gateway's own process for one call, in microseconds. */
  readonly cpuUs: number;
  /** CPU of the gateway and its servers for one call, in microseconds. */
  readonly treeCpuUs: number;
  readonly servers: number;
  readonly pssBytes: number;
}

/** One call; resolves with whether the answer is its own. */
type Call = (caller: Caller, mark: string) => Promise<boolean>;

export const echoCall =
  (target: Target): Call =>
  async (caller, mark) =>
    (await caller.callTool(target.toolName('echo'), { text: mark })) === mark;

export const payloadCall =
  (target: Target, bytes: number): Call =>
  async (caller) =>
    (await caller.callTool(target.toolName('payload'), { bytes })).length === bytes;

/** Every caller makes its calls one after the other, all callers at once. */
export async function runLoad(
  target: Target,
  callers: readonly Caller[],
  callsEach: number,
  call: Call,
): Promise<LoadFigures> {
  const durations: number[] = [];
  let failures = 0;
  const before = treeUse(target.pid, SERVER_SCRIPT);
  const startedAt = performance.now();
  await Promise.all(
    callers.map(async (caller, who) => {
      for (let index = 0; index < callsEach; index += 1) {
        const since = performance.now();
        const isOwn = await call(caller, `${who}/${index}`).catch(() => false);
        durations.push(performance.now() - since);
        if (!isOwn) failures += 1;
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  const after = treeUse(target.pid, SERVER_SCRIPT);
  const calls = durations.length;
  return {
    calls,
    failures,
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
    callsPerS: (calls * 1000) / elapsedMs,
    loadUs: (elapsedMs * 1000) / calls,
    cpuUs: ((after.rootCpuMs - before.rootCpuMs) * 1000) / calls,
    treeCpuUs: ((after.treeCpuMs - before.treeCpuMs) * 1000) / calls,
    servers: after.servers,
    pssBytes: after.pssBytes,
  };
}

/** One client's calls on one server, before and while another client's server sends 100,000 notifications a second. */
export async function measureFlood(target: OwnTarget) {
  const callers = await connectCallers(target, 'sdk', 1);
  const measure = () => runLoad(target, callers, FLOOD_CALLS, echoCall(target));
  await measure();
  const quiet = await measure();
  const program = fileURLToPath(new URL('./flood-client.ts', import.meta.url));
  const other = startNode([program, target.flood.url, target.flood.token ?? '']);
  try {
    const isFlooded = () => other.output().includes('flooded');
    await waitUntil(isFlooded, { deadlineMs: FLOOD_READY_MS, describe: `the flood; ${other.output()}` });
    const flooded = await measure();
    return {
      quietP99Ms: quiet.p99Ms,
      floodedP99Ms: flooded.p99Ms,
      failures: quiet.failures + flooded.failures,
    };
  } finally {
    await other.end();
    await closeCallers(callers);
  }
}
