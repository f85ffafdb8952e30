import { describe, expect, it, type TestContext } from 'vitest';
import { fixtureServer, fixtureWrapper, waitUntil, type CommandLine } from '../../fixtures/fixture-server.ts';
import { freezeProcess, thawProcess } from '../../fixtures/process-signals.ts';
import { createLiveBench, type LiveBench } from './live-bench.ts';
import { isAlive } from '../../support/proc.ts';

/**
 * Threshold of kinds on real processes that `test/slow/verdicts` does not live, a twentieth of the real one; a fake clock
 * holds the exact times elsewhere (`kinds.test.ts`).
 */
const THRESHOLD_MS = 1500;
const INTERVAL_MS = 300;
const ALLOWANCE_MS = 15_000;
const CALL_TIMEOUT_MS = 9000;
/** Length of more than two thresholds, enough for every wrong verdict there has been. */
const LONG_MS = 3.2 * THRESHOLD_MS;
/** Limit that holds also on a machine that is busy with something else. */
const LIMIT_MS = 90_000;

/** Rows of a server that is frozen. Windows does not tell of it, so it is found by what it does not answer. */
const FROZEN_ROW = process.platform === 'win32' ? 4 : 2;

type Build = (...flags: string[]) => CommandLine;
const behindShell: Build = (...flags) => fixtureWrapper('--shell', ...flags);

function live(
  { onTestFinished }: TestContext,
  flags: readonly string[],
  build: Build = fixtureServer,
): LiveBench {
  const bench = createLiveBench((pidFile) => build(...flags, `--pid-file=${pidFile}`), {
    panel: {
      stopGraceMs: 300,
      killGraceMs: 300,
      calls: { timeoutMs: CALL_TIMEOUT_MS, maxTotalMs: 60_000 },
      health: {
        probeIntervalMs: INTERVAL_MS,
        stallThresholdMs: THRESHOLD_MS,
        workAllowanceMs: ALLOWANCE_MS,
      },
      restart: { initialBackoffMs: 50, maxRestartAttempts: 1 },
    },
  });
  onTestFinished(async () => {
    for (const pid of bench.recorded()) if (isAlive(pid)) thawProcess(pid);
    await bench.dispose();
  });
  return bench;
}

const call = (bench: LiveBench, name: string, args: Record<string, unknown> = {}) =>
  bench.supervisor.connection!.request('tools/call', { name, arguments: args });
const work = (bench: LiveBench, steps: string) => call(bench, 'work', { steps });

const passes = async (ms: number) => {
  const until = performance.now() + ms;
  await waitUntil(() => performance.now() > until, { deadlineMs: ms + LIMIT_MS, describe: `${ms} ms` });
};
/** Waits until the server runs and has answered a question, because from then on its silence counts. */
async function up(bench: LiveBench): Promise<void> {
  const before = bench.answeredProbes;
  await bench.supervisor.start();
  await waitUntil(() => bench.answeredProbes > before, {
    deadlineMs: 20_000,
    describe: 'an answered question',
  });
}

/** Waits until the server is up again, after a run that has answered. */
async function upAgain(bench: LiveBench): Promise<void> {
  await up(bench);
  await bench.supervisor.restart();
}

type Life = (bench: LiveBench) => Promise<unknown>;

/** Waits until the server is up, and lets that happen then. */
const once =
  (life: Life): Life =>
  async (bench) => {
    await up(bench);
    await life(bench);
  };
/** A run that had all the time it wanted, and another after it. */
const upAfterALongStart: Life = async (bench) => {
  await bench.supervisor.start();
  await passes(LONG_MS);
  await upAgain(bench);
};

describe.concurrent('a real server is never convicted when it', { timeout: LIMIT_MS }, () => {
  it.for<[kind: string, flags: string[], life: Life]>([
    [
      'loads in a child that computes, after a restart',
      [`--work-after-ready=sleep:200,burn:${LONG_MS}`],
      upAgain,
    ],
    ['waits before it is ready, after a restart', [`--work-after-ready=block:${LONG_MS}`], upAfterALongStart],
    ['loads from a slow disk, after a restart', [`--work-after-ready=disk:${LONG_MS}`], upAfterALongStart],
    ['writes to a slow disk in a call', [], once((bench) => work(bench, `disk:${LONG_MS}`))],
    [
      'ignores ping, and works synchronously',
      ['--ignore-ping'],
      once((bench) => work(bench, `block:${LONG_MS}`)),
    ],
    [
      'answers calls and no question',
      ['--ignore-ping', '--ignore-tools-list'],
      (bench) => bench.supervisor.start().then(() => work(bench, `block:${LONG_MS}`)),
    ],
  ])('%s', async ([, flags, life], test) => {
    const bench = live(test, flags);
    await life(bench);
    await passes(LONG_MS);
    const kinds = bench.events.map((event) => event.kind);
    for (const kind of ['stalled', 'crashed', 'gave-up'] as const) expect(kinds).not.toContain(kind);
    expect(isAlive(bench.supervisor.view().pid!)).toBe(true);
    await waitUntil(() => bench.supervisor.stateKind === 'running', {
      deadlineMs: LIMIT_MS,
      describe: 'running',
    });
  });
});

describe.concurrent('a real server that hangs is found when it', { timeout: LIMIT_MS }, () => {
  const stop: Life = async (bench) => freezeProcess(bench.recorded('server').at(-1)!);

  it.for<[kind: string, row: number | string, flags: string[], life: Life, build?: Build]>([
    ['is stopped behind npx and a shell', FROZEN_ROW, [], once(stop), behindShell],
    [
      'is deaf, and writes to stderr',
      4,
      ['--deaf-on-signal', '--stderr-every-ms=100'],
      once(async (bench) => bench.signal('SIGUSR2')),
    ],
    [
      'is deadlocked behind npx',
      4,
      ['--block-loop-on-signal'],
      once(async (bench) => bench.signal('SIGUSR1')),
      behindShell,
    ],
    [
      'stops reading',
      4,
      ['--work-after-ready=sleep:1000'],
      once((bench) => call(bench, 'background', { steps: 'block:60000' })),
    ],
    [
      'is in an endless loop while idle',
      '4b',
      [],
      once((bench) => call(bench, 'background', { steps: 'spin:80000' })),
    ],
  ])('%s', async ([, row, flags, life, build], test) => {
    const bench = live(test, flags, build);
    await life(bench);
    const { pid } = bench.supervisor.view();
    const { detail } = await bench.logs('stalled', 60_000);
    expect(detail).toMatchObject({ row, evidence: { thresholdMs: THRESHOLD_MS } });
    await bench.logs('restarted', 30_000);
    if (pid !== undefined && bench.supervisor.view().pid !== pid) expect(isAlive(pid)).toBe(false);
  });
});
