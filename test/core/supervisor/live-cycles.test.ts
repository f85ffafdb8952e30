import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { startDeathPipe, spawnDeathPipeWatcher } from '../../../electron/core/platform/death-pipe.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { ProcessLedger } from '../../../electron/core/supervisor/custody/process-ledger.ts';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { isAlive, readProc, statOf } from '../../support/proc.ts';
import { createLiveBench } from './live-bench.ts';
import { onlyOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CYCLES = 200;
/** Share of runs that end by a crash in place of a stop: one in so many. */
const CRASH_EVERY = 4;
const WARM_UP_CYCLES = 8;
const COMMANDS = 100;
const SEEDS = [1, 2, 3, 4, 5];
const LIMIT_MS = 120_000;

/** Footprint of this process: what it holds open, and its children. */
interface Footprint {
  readonly descriptors: number;
  readonly listeners: number;
  /** Resources by kind: timers, pipes, processes. */
  readonly resources: Readonly<Record<string, number>>;
  readonly children: number;
  readonly zombies: number;
}

function footprint(): Footprint {
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const children = childPids();
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    resources,
    children: children.length,
    zombies: children.filter((pid) => !isAlive(pid)).length,
  };
}

function childPids(): number[] {
  const tasks = readdirSync('/proc/self/task');
  const lists = tasks.map((task) => readText(`/proc/self/task/${task}/children`));
  return lists.join(' ').split(/\s+/).filter(Boolean).map(Number);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // The thread ended meanwhile.
  }
}

const isWithin = (now: Footprint, baseline: Footprint) =>
  now.descriptors <= baseline.descriptors &&
  now.listeners <= baseline.listeners &&
  now.children <= baseline.children &&
  now.zombies === 0 &&
  Object.entries(now.resources).every(([kind, count]) => count <= (baseline.resources[kind] ?? 0));

/** Living children of ours whose command line holds `mark`. */
const livingWith = (mark: string) => childPids().filter((pid) => readProc(pid, 'cmdline').includes(mark));

/** Ledger and helper of a real panel, so that what they keep of a run is counted as well. */
function realCustody({ onTestFinished }: TestContext): { custody: ProcessCustody; folder: string } {
  const folder = tempFolder('cycles-');
  const onProblem = (problem: string) => expect.unreachable(problem);
  const ownPid = process.pid;
  const owner = Promise.resolve({ pid: ownPid, startTime: statOf(ownPid)[19]! });
  const names = { folder, fileId: 'cycles', bootId: 'boot' };
  const custody = new ProcessCustody(
    new ProcessLedger({ ...names, ownPid, owner, clock: systemClock, onProblem }),
    () => startDeathPipe({ spawnWatcher: () => spawnDeathPipeWatcher(), onProblem }),
  );
  custody.prepare();
  onTestFinished(async () => {
    await custody.close();
  });
  return { custody, folder };
}

/** Generator of seeded numbers (mulberry32): the same seed gives the same history. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const inProc = { ...onlyOn('linux', 'it counts descriptors and memory in /proc'), timeout: LIMIT_MS };

describe('a supervisor over many runs', inProc, () => {
  it(`holds after ${CYCLES} starts, stops and crashes what it held before`, async (test) => {
    const { custody, folder } = realCustody(test);
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const bench = createLiveBench(() => tinyServer(), {
      custody,
      panel: { restart: { enabled: false } },
    });
    test.onTestFinished(async () => {
      process.off('warning', warned);
      await bench.dispose();
    });
    const cycle = async (index: number) => {
      await bench.supervisor.start();
      if (index % CRASH_EVERY === 0) {
        process.kill(bench.supervisor.view().pid!, 'SIGKILL');
        await bench.reaches('failed');
      }
      await bench.supervisor.stop();
    };
    for (let index = 0; index < WARM_UP_CYCLES; index += 1) await cycle(index);
    const baseline = await settledFootprint();
    for (let index = 0; index < CYCLES; index += 1) await cycle(index);

    expect(bench.supervisor.generation).toBe(WARM_UP_CYCLES + CYCLES);
    await waitUntil(() => isWithin(footprint(), baseline), {
      deadlineMs: 10_000,
      get describe() {
        return `${JSON.stringify(footprint())} to come down to ${JSON.stringify(baseline)}`;
      },
    });
    expect(warnings).toEqual([]);
    await waitUntil(() => readdirSync(folder).length === 0, 'an empty ledger, which has no file');
  });

  it.for(SEEDS)(
    `ends ${COMMANDS} overlapping commands in the last commanded state, never with two processes (seed %i)`,
    async (seed, { onTestFinished }) => {
      const random = randomOf(seed);
      const mark = `cycles-${process.pid}-${seed}`;
      const bench = createLiveBench(() => tinyServer(mark));
      let most = 0;
      const look = () => (most = Math.max(most, livingWith(mark).length));
      const looks = setInterval(look, 2);
      onTestFinished(async () => {
        clearInterval(looks);
        await bench.dispose();
      });

      let last: 'start' | 'stop' | 'restart' = 'stop';
      const outcomes: Promise<unknown>[] = [];
      for (let index = 0; index < COMMANDS; index += 1) {
        last = (['start', 'stop', 'restart'] as const)[Math.floor(random() * 3)]!;
        outcomes.push(bench.supervisor[last]().catch((error: { code: string }) => error.code));
        look();
        // Pauses are random, so that some commands come at once, some in the middle of a start or a stop,
        // some after it.
        if (random() < 0.6) await delay(random() * 40);
      }
      const reasons = (await Promise.all(outcomes)).filter((reason) => reason !== undefined);

      expect(new Set(reasons)).toEqual(new Set(['SUPERSEDED']));
      expect(bench.supervisor.stateKind).toBe(last === 'stop' ? 'stopped' : 'running');
      expect(livingWith(mark)).toEqual(last === 'stop' ? [] : [bench.supervisor.view().pid]);
      expect(most).toBe(1);
      await bench.supervisor.stop();
      expect(livingWith(mark)).toEqual([]);
    },
  );
});

/** Footprint once two looks in a row agree, because what the last run left on its way out is gone then. */
async function settledFootprint(): Promise<Footprint> {
  let last = footprint();
  const isSettled = () => {
    const before = last;
    last = footprint();
    return last.zombies === 0 && isDeepStrictEqual(before, last);
  };
  await waitUntil(isSettled, 'a footprint that stays');
  return last;
}
