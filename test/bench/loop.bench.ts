/**
 * Lateness of the main loop under what a server or a file can do to it, and what others notice: ten seconds
 * of each flood, first on the core alone (plain Node), then in the real app. Beside its budgets: the lateness
 * of the loop, the page's input, calls to a quiet server against its own pace before the flood, memory, and
 * the time of Quit. Prints a table, and one line of JSON last; exit code 1 when a budget is missed.
 * `--only=nested,answers`, `--in=core` or `--in=app` and `--seconds=N` choose; `--profile=DIR` leaves CPU
 * profiles of the core.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUIT_LIMIT_MS } from '../../electron/core/quit.ts';
import { withApp } from './loop/app.ts';
import { openCore, type Host } from './loop/hosts.ts';
import { forgetPeak, peakBytes, residentBytes } from './loop/memory.ts';
import { floodName, scenarios, serversOf, type Scenario } from './loop/scenarios.ts';
import { report, type Figure } from './supervision/figures.ts';

const BASELINE_SECONDS = 4;
const BUDGETS = { p999: 10, max: 50, input: 50, callRatio: 2, memoryMib: 300 };

const flag = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const seconds = Number(flag('seconds') ?? 10);
const only = flag('only')?.split(',');
const places = (flag('in') ?? 'core,app').split(',');
const profiles = flag('profile');
const chosen = scenarios.filter(({ name }) => only?.includes(name) ?? true);

const figures: Figure[] = [];
const problems: string[] = [];
for (const place of places) {
  for (const scenario of chosen) {
    console.error(`${place}: ${scenario.what}`);
    try {
      figures.push(...(await (place === 'core' ? inCore(scenario) : inApp(scenario))));
    } catch (error) {
      problems.push(`${place}, ${scenario.name}: ${String(error)}`);
    }
  }
}
report('loop', figures, problems);

async function inCore(scenario: Scenario): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'loop-bench-'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: serversOf(scenario) }));
  scenario.prepare?.(home);
  const host = await openCore(home, profiles);
  try {
    return await measure(host, scenario, 'core');
  } finally {
    await host.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

function inApp(scenario: Scenario): Promise<Figure[]> {
  const prepare = (home: string) => scenario.prepare?.(home);
  return withApp(serversOf(scenario), prepare, (host) => measure(host, scenario, 'app'));
}

async function measure(host: Host, { name, load }: Scenario, place: string): Promise<Figure[]> {
  // The first call is not measured, because it loads code.
  await host.drive({ load: 'none', seconds: 1, flood: undefined });
  const atStart = await host.takeLateness();
  const quiet = await host.drive({ load: 'none', seconds: BASELINE_SECONDS, flood: undefined });
  const before = await host.takeLateness();
  const startBytes = residentBytes(host.mainPid);
  forgetPeak(host.mainPid);
  const driving = host.drive({ load, seconds, flood: floodName });
  const input = await host.inputDelays(driving);
  const flooded = await driving;
  const late = await host.takeLateness();
  const addedBytes = peakBytes(host.mainPid) - startBytes;
  const quitMs = await host.quit();

  const figure = (what: string, unit: string, measured: number, budget?: number): Figure => ({
    what: `${place}, ${name}: ${what}`,
    unit,
    measured,
    ...(budget !== undefined && { budget }),
  });
  const quietMs = percentile(quiet.quietCallsMs, 0.99);
  const floodedMs = percentile(flooded.quietCallsMs, 0.99);
  return [
    figure('loop at the start, latest', 'ms', atStart.max),
    figure('loop before, p99.9', 'ms', before.p999),
    figure('loop, p50', 'ms', late.p50),
    figure('loop, p99.9', 'ms', late.p999, BUDGETS.p999),
    figure('loop, latest', 'ms', late.max, BUDGETS.max),
    ...(late.cpuMax === undefined
      ? []
      : [
          figure('CPU of a turn, p99.9', 'ms', late.cpuP999 ?? NaN),
          figure('CPU of a turn, most', 'ms', late.cpuMax),
        ]),
    ...(input.length > 0 ? [figure('input, p95', 'ms', percentile(input, 0.95), BUDGETS.input)] : []),
    figure('calls to another server before, p99', 'ms', quietMs),
    figure('calls to another server, p99', '× before', floodedMs / quietMs, BUDGETS.callRatio),
    figure('memory above the start', 'MiB', addedBytes / 2 ** 20, BUDGETS.memoryMib),
    figure('Quit', 'ms', quitMs, QUIT_LIMIT_MS),
    figure('the flooding server asked', 'times', flooded.asked),
  ];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
