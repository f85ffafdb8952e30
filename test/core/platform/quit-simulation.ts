import type { StopReport } from '../../../electron/core/platform/hosted-run.ts';
import { OwnedProcess } from '../../../electron/core/platform/owned-process.ts';
import type { ProcessTable } from '../../../electron/core/platform/process-table.ts';
import type { Signaller } from '../../../electron/core/platform/signals.ts';
import { delay } from '../../../electron/core/wait.ts';
import type { FakeClock } from '../fake-clock.ts';
import { SlowMachine, slowTable, type ListingSystem } from './slow-machine.ts';

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

const TASKKILL_MS = 100;
const GRACES = { stopGraceMs: 5000, killGraceMs: 5000 };
const SAMPLE_MS = 1000;
const STEP_MS = 10;
const LIMIT_MS = 300_000;

/** Ends all servers of a panel at once, as its quit does, while the sampler goes on looking. */
export async function simulateQuit({ system, servers, stubborn = 0 }: QuitOptions): Promise<QuitFigures> {
  const machine = new SlowMachine();
  const { clock } = machine;
  const table = slowTable(system, machine);
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
