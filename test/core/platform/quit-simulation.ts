import { PassThrough } from 'node:stream';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { LineHelper } from '../../../electron/core/platform/line-helper.ts';
import { OwnedProcess, type StopReport } from '../../../electron/core/platform/owned-process.ts';
import type { ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { PsProcessTable } from '../../../electron/core/platform/ps-process-table.ts';
import type { Signaller } from '../../../electron/core/platform/signals.ts';
import type { ExitStatus } from '../../../electron/core/platform/spawner.ts';
import { WindowsProcessTable } from '../../../electron/core/platform/windows-process-table.ts';
import { PowerShellProcesses } from '../../../electron/core/platform/windows/powershell-processes.ts';
import { SerialQueue } from '../../../electron/core/serial-queue.ts';
import { delay } from '../../../electron/core/wait.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { FakeProcesses, type FakeProcess } from '../supervisor/fake-processes.ts';

/** System whose looks are simulated: PowerShell, which answers one question at a time, or `ps`, which starts anew for each. */
export type ListingSystem = 'windows' | 'macos';

export interface QuitOptions {
  readonly system: ListingSystem;
  readonly servers: number;
  /** So many of them do not end with their input, nor by SIGTERM. */
  readonly stubborn?: number;
}

export interface QuitFigures {
  readonly ms: number;
  readonly listings: number;
  /** Processes that live when every end is over. */
  readonly left: number;
  /** Ends that could not look at the process table. */
  readonly blind: number;
  readonly forceKilled: number;
}

/** What one look takes: PowerShell's listing by CIM on a machine at work. */
const LISTING_MS = 300;
const TASKKILL_MS = 100;
/** From the end of its input to the end of a server. */
const LEAVING_MS = 50;
const GRACES = { stopGraceMs: 5000, killGraceMs: 5000 };
const SAMPLE_MS = 1000;
const STEP_MS = 10;
const LIMIT_MS = 300_000;

/** Machine on which looking takes time, and each server is a wrapper with the real server below it. */
class SlowMachine extends FakeProcesses {
  readonly clock: FakeClock = createFakeClock();
  listings = 0;
  readonly #ends = new Map<number, (exit: ExitStatus) => void>();

  spawn(pid: number, isStubborn: boolean) {
    const ignoresTerm = isStubborn;
    this.add({ pid, ppid: 1, groupId: pid, ignoresTerm });
    this.add({ pid: pid + 1, ppid: pid, groupId: pid, ignoresTerm });
    const exited = createDeferred<ExitStatus>();
    this.#ends.set(pid, (exit) => exited.resolve(exit));
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    if (!isStubborn)
      streams.stdin.resume().once('end', () => this.clock.setTimeout(() => this.#leave(pid), LEAVING_MS));
    return { pid, ...streams, exited: exited.promise };
  }

  override end(pid: number): void {
    super.end(pid);
    this.#ends.get(pid)?.({ exitCode: 1 });
  }

  async look(): Promise<readonly FakeProcess[]> {
    this.listings += 1;
    const seen = this.all;
    await delay(this.clock, LISTING_MS);
    return seen;
  }

  #leave(pid: number): void {
    this.end(pid + 1);
    this.end(pid);
  }
}

/** Ends all servers of a panel at once, as its quit does, while the sampler goes on looking. */
export async function simulateQuit({ system, servers, stubborn = 0 }: QuitOptions): Promise<QuitFigures> {
  const machine = new SlowMachine();
  const { clock } = machine;
  const table = system === 'windows' ? windowsTable(machine) : psTable(machine);
  const signaller = system === 'windows' ? windowsSignaller(machine) : machine;
  const owned = await Promise.all(
    Array.from({ length: servers }, async (_, index) => {
      const pid = 1000 + 10 * index;
      const spawner = () => Promise.resolve(machine.spawn(pid, index < stubborn));
      const request = { command: 'server', args: [], env: {} };
      return OwnedProcess.spawn({ table, signaller, clock, spawner }, request, `marker-${pid}`);
    }),
  );
  const pids = owned.map(({ pid }) => pid);
  await step(clock, learn(table, owned, pids));
  const sampler = sample(table, clock, pids);
  machine.listings = 0;
  const startMs = clock.now();
  const reports = await step(clock, Promise.all(owned.map((one) => one.end(GRACES))));
  sampler.dispose();
  return { ms: clock.now() - startMs, listings: machine.listings, ...outcome(machine, reports) };
}

function outcome(machine: SlowMachine, reports: readonly StopReport[]) {
  return {
    left: machine.all.length,
    blind: reports.filter(({ lookError }) => lookError !== undefined).length,
    forceKilled: reports.filter(({ forceKilledPids }) => forceKilledPids.length > 0).length,
  };
}

/** Members are known from the looks of the sampler, as in a panel that has run for a while. */
async function learn(table: ProcessTable, owned: readonly OwnedProcess[], pids: readonly number[]) {
  const trees = await table.readTrees(pids);
  for (const one of owned) one.remember(trees.get(one.pid) ?? []);
}

function sample(table: ProcessTable, clock: FakeClock, pids: readonly number[]) {
  let timer = clock.setTimeout(look, 0);
  let isDisposed = false;
  function look(): void {
    void table.readTrees(pids).then(() => {
      if (!isDisposed) timer = clock.setTimeout(look, Math.max(SAMPLE_MS, table.leastIntervalMs ?? 0));
    });
  }
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}

/** Lets time pass until `work` is done. */
async function step<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone && clock.now() < LIMIT_MS) await clock.advance(STEP_MS);
  return done;
}

function windowsTable(machine: SlowMachine): ProcessTable {
  const questions = new SerialQueue();
  const helper: LineHelper = {
    ask: (id) => questions.run(async () => JSON.stringify({ id, rows: (await machine.look()).map(toRow) })),
    dispose: () => undefined,
  };
  return new WindowsProcessTable(new PowerShellProcesses(helper));
}

function toRow({ pid, ppid, startTime, command }: FakeProcess): string {
  return [pid, ppid, startTime.slice(1), 0, 0, 0, 0, 0, 0, command].join('\t');
}

/** `taskkill /T /F`, which knows no politeness. */
function windowsSignaller(machine: SlowMachine): Signaller {
  const killed = async (pids: readonly number[]) => {
    await delay(machine.clock, TASKKILL_MS);
    for (const pid of pids) machine.end(pid);
    return pids.length > 0;
  };
  return {
    isAlwaysForced: true,
    signalGroup: (pid) => killed(machine.all.filter(({ groupId }) => groupId === pid).map((one) => one.pid)),
    signalProcess: (pid) => killed([pid]),
  };
}

function psTable(machine: SlowMachine): ProcessTable {
  const run = async (_command: string, args: readonly string[]) => {
    const seen = await machine.look();
    const only = args.includes('-p') ? Number(args.at(-1)) : undefined;
    const lines = seen.filter(({ pid }) => only === undefined || pid === only);
    return lines.map(args.includes('-axwwE') ? ({ pid }) => `${pid} server` : toPsLine).join('\n');
  };
  return new PsProcessTable({ run });
}

function toPsLine({ pid, ppid, groupId, startTime, command }: FakeProcess): string {
  const second = String(Number(startTime.slice(1)) % 60).padStart(2, '0');
  return `${pid} ${ppid} ${groupId} S Mon Sep  1 08:00:${second} 2025 100 0:01.00 ${command}`;
}
