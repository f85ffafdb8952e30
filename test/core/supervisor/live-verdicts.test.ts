import { describe, expect, it, type TestContext } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { freezeProcess, thawProcess } from '../../fixtures/process-signals.ts';
import { createLiveBench, type LiveBench } from './live-bench.ts';
import { isAlive } from '../../support/proc.ts';

const THRESHOLD_MS = 2000;
const INTERVAL_MS = 400;
const MANY_THRESHOLDS_MS = 10 * THRESHOLD_MS;
/** Limit of more than ten thresholds, also on a machine that is busy with something else. */
const LIMIT_MS = 60_000;
/** Windows does not tell that a process is frozen, so one in the midst of calls is found by their deadline. */
const FROZEN_AT_WORK =
  process.platform === 'win32' ? { row: 7, calls: { timeoutMs: 2 * THRESHOLD_MS } } : { row: 2, calls: {} };

function live(
  { onTestFinished }: TestContext,
  flags: string[],
  panel: Record<string, unknown> = {},
  nodeFlags: string[] = [],
) {
  const quick = {
    stopGraceMs: 300,
    killGraceMs: 300,
    health: {
      probeIntervalMs: INTERVAL_MS,
      stallThresholdMs: THRESHOLD_MS,
      ...(panel['health'] as object | undefined),
    },
    restart: { initialBackoffMs: 50 },
  };
  const program = (pidFile: string) => {
    const { command, args } = fixtureServer(...flags, `--pid-file=${pidFile}`);
    return { command, args: [...nodeFlags, ...args] };
  };
  const bench = createLiveBench(program, { panel: { ...panel, ...quick, health: quick.health } });
  onTestFinished(async () => {
    for (const pid of bench.recorded()) if (isAlive(pid)) thawProcess(pid);
    await bench.dispose();
  });
  return bench;
}

const call = (bench: LiveBench, name: string, args: Record<string, unknown> = {}) =>
  bench.supervisor.connection!.request('tools/call', { name, arguments: args });

/** Asserts that a hung run was judged by `row`, its callers freed, its tree ended, and a fresh generation started. */
async function expectStallAndRestart(bench: LiveBench, row: number | string, pid: number): Promise<void> {
  const { detail } = await bench.logs('stalled', 15_000);
  expect(detail).toMatchObject({
    row,
    elapsedMs: expect.any(Number) as number,
    evidence: { thresholdMs: THRESHOLD_MS },
  });
  await bench.logs('restarted');
  expect(isAlive(pid)).toBe(false);
  expect(bench.supervisor.generation).toBe(2);
}

/** Asserts that the server lived through all of it in its first run, and nobody doubted it. */
const expectUntouched = (bench: LiveBench) => {
  expect(bench.supervisor.generation).toBe(1);
  expect(bench.supervisor.stateKind).toBe('running');
  const kinds = bench.events.map((event) => event.kind);
  for (const kind of ['suspect', 'stalled', 'restarted', 'crashed'] as const)
    expect(kinds).not.toContain(kind);
};

describe.concurrent('a real server that hangs', { timeout: LIMIT_MS }, () => {
  it('stopped by a signal while a client keeps calling: calls reject with STALLED, a fresh one runs', async (test) => {
    const bench = live(test, [], { calls: FROZEN_AT_WORK.calls });
    await bench.supervisor.start();
    const pid = bench.supervisor.view().pid!;
    freezeProcess(pid);
    const outcomes: unknown[] = [];
    while (bench.supervisor.connection !== undefined && bench.supervisor.generation === 1) {
      call(bench, 'echo', { text: 'x' }).then(
        (result) => outcomes.push(result),
        (error: { code: string }) => outcomes.push(error.code),
      );
      const sent = outcomes.length;
      await waitUntil(() => outcomes.length > sent || performance.now() % 100 < 20, {
        deadlineMs: 15_000,
        describe: 'a moment',
      });
    }
    await expectStallAndRestart(bench, FROZEN_AT_WORK.row, pid);
    await waitUntil(() => outcomes.length > 0, 'the calls to reject');
    // Those whose deadline has passed before are told of that.
    expect(new Set(outcomes)).toContain('STALLED');
    expect(
      [...new Set(outcomes)].filter((code) => !/^(STALLED|REQUEST_TIMEOUT)$/.test(String(code))),
    ).toEqual([]);
  });

  it('deadlocked in a call during which it has answered: suspect first, then judged where a person wants that', async (test) => {
    const bench = live(test, [], { health: { onSuspect: 'restart' } });
    await bench.supervisor.start();
    const pid = bench.supervisor.view().pid!;
    const steps = `sleep:${4 * INTERVAL_MS},block:60000`;
    const deadlocked = call(bench, 'work', { steps }).catch((error: { code: string; data: object }) => error);
    await bench.reaches('suspect');
    expect(await deadlocked).toMatchObject({ code: 'STALLED', data: { pendingMethods: ['tools/call'] } });
    await expectStallAndRestart(bench, '5b', pid);
  });

  it('started with an inspector and deaf: only reported, because its developer may hold it', async (test) => {
    const bench = live(test, ['--deaf-on-signal'], {}, ['--inspect=0']);
    await bench.supervisor.start();
    const pid = bench.supervisor.view().pid!;
    await waitUntil(() => bench.answeredProbes > 0, 'an answered question');
    bench.signal('SIGUSR2');
    expect((await bench.logs('stalled', 20_000)).detail).toMatchObject({ row: 4 });
    expect(isAlive(pid)).toBe(true);
    expect(bench.supervisor.view()).toMatchObject({ generation: 1, state: { kind: 'stalled' } });
  });

  it('is only reported, and recovers, where a person wants to be asked', async (test) => {
    const bench = live(test, [], { health: { onStall: 'notify' } });
    await bench.supervisor.start();
    const pid = bench.supervisor.view().pid!;
    freezeProcess(pid);
    await bench.reaches('stalled');
    expect(isAlive(pid)).toBe(true);
    thawProcess(pid);
    await bench.logs('recovered');
    expect(bench.supervisor.view()).toMatchObject({ generation: 1, state: { kind: 'running' } });
  });
});

describe.concurrent('a real server that is healthy', { timeout: LIMIT_MS }, () => {
  it.for<[string, string[]]>([
    ['answers ping with an error', ['--ping-error=-32601']],
    ['answers neither ping nor tools/list, but calls', ['--ignore-ping', '--ignore-tools-list']],
    ['has no tools', ['--no-tools-list', '--ignore-ping']],
    ['sends its own heartbeats', ['--ignore-ping', '--ignore-tools-list', '--heartbeat-logs-ms=200']],
    ['refuses to set the log level', ['--ignore-ping', '--ignore-tools-list', '--refuse-set-level']],
  ])('is left alone for ten thresholds when it %s', async ([, flags], test) => {
    const bench = live(test, flags);
    await bench.supervisor.start();
    const idleUntil = performance.now() + MANY_THRESHOLDS_MS;
    await call(bench, 'echo', { text: 'x' });
    await waitUntil(() => performance.now() > idleUntil, {
      deadlineMs: 2 * MANY_THRESHOLDS_MS,
      describe: 'ten thresholds',
    });
    await call(bench, 'echo', { text: 'x' });
    expectUntouched(bench);
  });

  it('is left alone in a call that blocks it for ten thresholds, and shown as busy', async (test) => {
    const bench = live(test, []);
    await bench.supervisor.start();
    const blocked = call(bench, 'block', { ms: MANY_THRESHOLDS_MS });
    await waitUntil(() => (bench.supervisor.view().busy?.oldestMs ?? 0) > 2 * THRESHOLD_MS, 'busy');
    expect(bench.supervisor.view().busy).toMatchObject({ calls: 1, oldest: 'tools/call block' });
    await blocked;
    expectUntouched(bench);
    expect(bench.supervisor.view().busy).toBeUndefined();
  });
});

describe('a real server while we are absent', { timeout: LIMIT_MS }, () => {
  it('is left alone when our own loop is blocked for five thresholds', async (test) => {
    const bench = live(test, []);
    await bench.supervisor.start();
    await waitUntil(() => bench.supervisor.view().health === 'ok', 'the first answer');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * THRESHOLD_MS);
    const until = performance.now() + THRESHOLD_MS;
    await waitUntil(() => performance.now() > until, 'a window');
    expectUntouched(bench);
  });
});

describe.concurrent('a real server over its limits', { timeout: LIMIT_MS }, () => {
  it('is restarted for the memory of a grandchild, which is named', async (test) => {
    const bench = live(test, ['--grandchild-memory-mib=150'], {
      limits: { maxMemoryMiB: 150, sustainedSamples: 2 },
    });
    await bench.supervisor.start();
    const child = bench.recorded('memory-child')[0]!;
    const { detail } = await bench.logs('limit-breached');
    expect(detail).toMatchObject({
      limit: 'memory',
      max: 150 * 1024 * 1024,
      action: 'restart',
      holder: { pid: child },
    });
    await bench.logs('restarted');
    expect(isAlive(child)).toBe(false);
  });

  it('is stopped for its open files, where that is the setting', async (test) => {
    const bench = live(test, ['--leak-fds-per-s=400'], {
      limits: { maxOpenFiles: 150, sustainedSamples: 2, onBreach: 'stop' },
    });
    await bench.supervisor.start();
    expect((await bench.logs('limit-breached')).detail).toMatchObject({ limit: 'openFiles', max: 150 });
    await bench.reaches('stopped');
    expect(bench.recorded().filter(isAlive)).toEqual([]);
    const { lastError, state } = bench.supervisor.view();
    expect(lastError).toMatchObject({ code: 'LIMIT_BREACHED' });
    expect(state.reason).toBe(lastError?.message);
  });

  it.for<[string, string[]]>([
    ['itself', ['--spin-cpu']],
    ['in children that live a tenth of a second', ['--short-lived-children']],
  ])('is warned about, once, for the CPU it uses %s', async ([, flags], test) => {
    const bench = live(test, flags, { limits: { maxCpuPercent: 5, sustainedSamples: 2 } });
    await bench.supervisor.start();
    expect((await bench.logs('high-cpu', 15_000)).detail).toMatchObject({ max: 5 });
    expect(bench.supervisor.stateKind).toBe('running');
    expect(bench.events.filter((event) => event.kind === 'high-cpu')).toHaveLength(1);
  });
});
