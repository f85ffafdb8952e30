import { treeUse } from '../../fixtures/gateways/process-tree.ts';
import { quantile } from '../harness/figures.ts';
import type { Caller } from './callers.ts';
import { SERVER_SCRIPT, type Target } from './targets.ts';

/** Cost of a load, and how it was served. */
export interface LoadFigures {
  readonly calls: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerS: number;
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
    cpuUs: ((after.rootCpuMs - before.rootCpuMs) * 1000) / calls,
    treeCpuUs: ((after.treeCpuMs - before.treeCpuMs) * 1000) / calls,
    servers: after.servers,
    pssBytes: after.pssBytes,
  };
}
