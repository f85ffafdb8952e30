/**
 * Cost of sampling 100 servers of three processes each, every second: CPU of this process, and how long its
 * event loop is blocked. Prints a table, and one line of JSON last. Exit code 1 when a budget is missed.
 * `SAMPLING_SERVERS` and `SAMPLING_SECONDS` change the size; `SAMPLING_PROGRAM=node` takes servers with
 * threads.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { processTableForPlatform } from '../../electron/core/platform/process-system.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { TelemetrySampler } from '../../electron/core/telemetry/sampler.ts';
import { cpuMsSince } from './harness/cpu.ts';
import { figure, report } from './harness/figures.ts';

const SERVERS = Number(process.env['SAMPLING_SERVERS'] ?? 100);
const SECONDS = Number(process.env['SAMPLING_SECONDS'] ?? 10);
const PROCESSES_PER_SERVER = 3;

const sleepers = 'sleep 1000 & sleep 1000 & wait';
const nodes = `"$0" -e 'setInterval(() => 0, 1e6)' & "$0" -e 'setInterval(() => 0, 1e6)' & wait`;
const script = process.env['SAMPLING_PROGRAM'] === 'node' ? nodes : sleepers;

const children: ChildProcess[] = [];
try {
  for (let index = 0; index < SERVERS; index += 1) {
    children.push(spawn('/bin/sh', ['-c', script, process.execPath], { detached: true, stdio: 'ignore' }));
  }
  const targets = children.map(({ pid = 0 }, index) => ({ key: `server-${index}`, pid }));
  await allUp(targets.map(({ pid }) => pid));
  const { cpuPercent, looks } = await measureCpu(targets);
  const { p99Ms, maxMs } = await measureBlocking(targets);
  const what = `sampling ${SERVERS} servers of ${PROCESSES_PER_SERVER}`;
  report('sampling', [
    figure(`${what}, CPU`, '% of a core', cpuPercent, 3),
    figure(`${what}, loop blocked p99`, 'ms', p99Ms, 5),
    figure(`${what}, loop blocked at most`, 'ms', maxMs),
    figure(`looks that were missed in ${SECONDS} s`, 'looks', SECONDS - looks, 1),
  ]);
} finally {
  for (const { pid } of children) if (pid !== undefined) endGroup(pid);
}

type Targets = readonly { readonly key: string; readonly pid: number }[];

async function allUp(pids: readonly number[]): Promise<void> {
  const table = processTableForPlatform();
  const endMs = performance.now() + 60_000;
  for (let count = 0; count < SERVERS * PROCESSES_PER_SERVER;) {
    if (performance.now() > endMs) throw new Error(`only ${count} processes came up`);
    await delay(500);
    count = [...(await table.readTrees(pids)).values()].flat().length;
  }
  table.dispose();
}

/** CPU percent of one core, without the idle share of this process; and the number of looks. */
async function measureCpu(targets: Targets) {
  const idle = await cpuPercentDuring(() => delay(2000));
  let looks = 0;
  const busy = await cpuPercentDuring(() => sampleFor(targets, () => (looks += 1)));
  return { cpuPercent: busy - idle, looks };
}

/**
 * Blocking time, from a histogram of the time between two turns that were asked for 1 ms apart. It is off
 * while CPU is measured, because it costs some itself.
 */
async function measureBlocking(targets: Targets) {
  const resolution = 1;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  await sampleFor(targets, () => undefined);
  histogram.disable();
  const blocked = (ns: number) => Math.max(0, ns / 1e6 - resolution);
  return { p99Ms: blocked(histogram.percentile(99)), maxMs: blocked(histogram.max) };
}

async function sampleFor(targets: Targets, onTick: () => void): Promise<void> {
  const table = processTableForPlatform();
  const sampler = new TelemetrySampler({
    table,
    clock: systemClock,
    wallClock: systemClock,
    targets: () => targets,
    intervalMs: () => 1000,
    onTick,
    onError: (error) => console.error(error),
  });
  sampler.poke();
  await delay(SECONDS * 1000);
  sampler.dispose();
  table.dispose();
}

async function cpuPercentDuring(task: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await task();
  return (cpuMsSince(before) / (performance.now() - startMs)) * 100;
}

function endGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch {
    // The server has ended by itself.
  }
}
