/**
 * Lateness of the main loop under what a server or a file can do to it, and what others notice: ten seconds
 * of each flood, first on the core alone (plain Node), then in the real app. Beside its budgets: the lateness
 * of the loop, the page's input, calls to a quiet server against its own pace before the flood, memory, and
 * the time of Quit. Prints a table, and one line of JSON last; exit code 1 when a budget is missed.
 * `--only=nested,answers`, `--in=core` or `--in=app` and `--seconds=N` choose; `--profile=DIR` leaves CPU
 * profiles of the core.
 */
import { writeFileSync } from 'node:fs';
import { QUIT_LIMIT_MS } from '../../electron/core/quit.ts';
import { memoryBytes } from '../support/proc.ts';
import { flag, figure, numberFlag, quantile, reportParts, type Figure } from './harness/figures.ts';
import { withCore, withWindow, type Host } from './loop/hosts.ts';
import { FLOOD, scenarios, serversOf, type Scenario } from './loop/scenarios.ts';

const BASELINE_SECONDS = 4;
const BUDGETS = { p999: 10, max: 50, input: 50, callRatio: 2, memoryMib: 300 };

const seconds = numberFlag('seconds', 10);
const only = flag('only')?.split(',');
const places = (flag('in') ?? 'core,app').split(',');

const parts = new Map<string, () => Promise<readonly Figure[]>>();
for (const place of places)
  for (const scenario of scenarios.filter(({ name }) => only?.includes(name) ?? true)) {
    const withHost = place === 'core' ? withCore : withWindow;
    const part = () =>
      withHost(serversOf(scenario), scenario.prepare, (host) => measure(host, scenario, place));
    parts.set(`${place}: ${scenario.what}`, part);
  }
await reportParts('loop', parts, parts.keys());

async function measure(host: Host, { name, load }: Scenario, place: string): Promise<Figure[]> {
  // The first call is not measured, because it loads code.
  await host.drive({ load: 'none', seconds: 1, flood: undefined });
  const atStart = await host.takeLateness();
  const quiet = await host.drive({ load: 'none', seconds: BASELINE_SECONDS, flood: undefined });
  const before = await host.takeLateness();
  const startBytes = memoryBytes(host.mainPid, 'VmRSS');
  // The greatest size counts from here on.
  writeFileSync(`/proc/${host.mainPid}/clear_refs`, '5');
  const driving = host.drive({ load, seconds, flood: FLOOD });
  const input = await host.inputDelays(driving);
  const flooded = await driving;
  const late = await host.takeLateness();
  const addedBytes = memoryBytes(host.mainPid, 'VmHWM') - startBytes;
  const quitMs = await host.quit();

  const of = (what: string, unit: string, measured: number, budget?: number) =>
    figure(`${place}, ${name}: ${what}`, unit, measured, budget);
  const quietMs = quantile(quiet.quietCallsMs, 0.99);
  const floodedMs = quantile(flooded.quietCallsMs, 0.99);
  return [
    of('loop at the start, latest', 'ms', atStart.max),
    of('loop before, p99.9', 'ms', before.p999),
    of('loop, p50', 'ms', late.p50),
    of('loop, p99.9', 'ms', late.p999, BUDGETS.p999),
    of('loop, latest', 'ms', late.max, BUDGETS.max),
    ...(late.cpuP999 === undefined ? [] : [of('CPU of a turn, p99.9', 'ms', late.cpuP999, BUDGETS.p999)]),
    ...(late.cpuMax === undefined ? [] : [of('CPU of a turn, most', 'ms', late.cpuMax, BUDGETS.max)]),
    ...(input.length > 0 ? [of('input, p95', 'ms', quantile(input, 0.95), BUDGETS.input)] : []),
    of('calls to another server before, p99', 'ms', quietMs),
    of('calls to another server, p99', '× before', floodedMs / quietMs, BUDGETS.callRatio),
    of('memory above the start', 'MiB', addedBytes / 2 ** 20, BUDGETS.memoryMib),
    of('Quit', 'ms', quitMs, QUIT_LIMIT_MS),
    of('the flooding server asked', 'times', flooded.asked),
  ];
}
