import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { commandNotFound } from '../../../electron/core/platform/spawn-error.ts';
import { nothingToEnd } from '../../../electron/core/supervisor/run/run.ts';
import { PanelError, type ErrorCode } from '../../../shared/error-codes.ts';
import type { StdioServerConfig } from '../../../shared/server-config.ts';
import { StartGate } from '../../../electron/core/supervisor/start/start-gate.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createSupervisorBench, testConfig, watch, type SupervisorBench } from './supervisor-bench.ts';

const HOUR_MS = 3_600_000;

/** Bench whose server is stopped after the test, which leaves no timer. */
function benchOf(...made: Parameters<typeof createSupervisorBench>): SupervisorBench {
  const bench = createSupervisorBench(...made);
  onTestFinished(() => stopped(bench));
  return bench;
}

async function starting(panel: Record<string, unknown> = {}) {
  const bench = benchOf(panel);
  void bench.supervisor.start().catch(() => undefined);
  await bench.settle();
  return bench;
}

async function running(panel: Record<string, unknown> = {}) {
  const bench = await starting(panel);
  await bench.ready();
  return bench;
}

async function stopped(bench: Awaited<ReturnType<typeof running>>) {
  const stopping = bench.supervisor.stop();
  await bench.settle();
  for (const run of bench.runs) if (run.endError) run.becomeGone();
  await stopping;
  expect(bench.clock.pending).toBe(0);
}

/** What is told of ends of runs: `ended` where the panel ends one to start another, `stopped` once a stop is done. */
const endsIn = (bench: SupervisorBench): string[] =>
  bench.events
    .filter(({ kind }) => kind === 'ended' || kind === 'stopped')
    .map(({ kind, detail }) => [kind, detail['generation'], detail['by']].filter(Boolean).join(' '));

describe('ServerSupervisor: the end of a run that it brings about', () => {
  it('is told once, with who wanted it', async () => {
    const bench = await running();
    void bench.supervisor.restart().catch(() => undefined);
    await bench.settle();
    expect(endsIn(bench)).toEqual(['ended 1 person']);
    expect(bench.events.at(-1)!.detail).toMatchObject({ calls: [], stderrTail: '' });
    void bench.supervisor.restart().catch(() => undefined);
    await bench.renewed();
    bench.supervisor.configure(testConfig({}, { args: ['another'] }));
    await bench.settle();
    expect(endsIn(bench)).toEqual(['ended 1 person', 'ended 2 configuration']);
    await stopped(bench);
    // Its end was told before.
    expect(endsIn(bench).at(-1)).toBe('stopped 2');
  });

  it('is told with the stop where nothing follows, and at once where a start takes the place of the stop', async () => {
    const bench = await running();
    void bench.supervisor.stop('panel').catch(() => undefined);
    await bench.settle();
    expect(endsIn(bench)).toEqual([]);
    void bench.supervisor.start().catch(() => undefined);
    await bench.settle();
    expect(endsIn(bench)).toEqual(['ended 1 panel']);
    await bench.renewed();
    await stopped(bench);
    expect(endsIn(bench)).toEqual(['ended 1 panel', 'stopped 2 person']);
  });

  it('is none of a start that is stopped before it is up, nor of a server that waits for its next try', async () => {
    const bench = await starting();
    await stopped(bench);
    expect(endsIn(bench)).toEqual(['stopped 1']);
    const other = await running();
    other.run().crash();
    await other.settle();
    await stopped(other);
    expect(endsIn(other)).toEqual(['stopped 1']);
  });
});

describe('ServerSupervisor: a run that has ended', () => {
  it.each([
    ['is taken off the record when nothing of it is left', {}, [], ['m1000']],
    [
      'stays on record when its processes could not be looked up, which is said once',
      { lookError: new Error('powershell ended (1)') },
      [expect.stringMatching(/^server: .*powershell ended/) as string],
      [],
    ],
    [
      'stays on record when a process of it is left',
      { leftPids: [100] },
      ['server: processes 100 did not end even after SIGKILL'],
      [],
    ],
  ])('%s', async (_name, report, notices, forgotten) => {
    const bench = await running();
    // A stop comes on top of a crash.
    bench.run().crash();
    void bench.supervisor.stop();
    await bench.settle();
    bench.run().becomeGone({ ...nothingToEnd, ...report });
    await bench.settle();
    expect([bench.supervisor.run, bench.notices, bench.forgotten]).toEqual([undefined, notices, forgotten]);
  });
});

describe('ServerSupervisor: commands', () => {
  it('resolves a start once the handshake succeeded, and at once when it runs already', async () => {
    const bench = benchOf();
    const first = watch(bench.supervisor.start());
    await bench.settle();
    expect([first.outcome, bench.supervisor.stateKind]).toEqual(['pending', 'starting']);
    await bench.ready();
    expect([first.outcome, bench.supervisor.stateKind]).toEqual(['resolved', 'running']);
    await bench.supervisor.start();
    expect(bench.runs).toHaveLength(1);
  });

  it('resolves a stop only when no process is left', async () => {
    const bench = await running();
    const stop = watch(bench.supervisor.stop());
    await bench.settle();
    expect([stop.outcome, bench.supervisor.stateKind]).toEqual(['pending', 'stopping']);
    await bench.gone();
    expect([stop.outcome, bench.supervisor.stateKind]).toEqual(['resolved', 'stopped']);
    expect(bench.clock.pending).toBe(0);
  });

  it('says of a start what it waits for, and what it may be doing only once it has begun', async () => {
    const startGate = new StartGate({ clock: createFakeClock(), startConcurrency: 1 });
    const config = testConfig({}, { command: 'npx', args: ['-y', 'some-server'] });
    const bench = benchOf({}, undefined, config, undefined, startGate);
    const join = (name: string) =>
      startGate.join(
        { ...testConfig(), name },
        { purpose: 'automatic', signal: new AbortController().signal },
      );
    const [other, next] = [join('other'), join('next')];
    void bench.supervisor.start('configuration');
    await bench.settle();
    expect(bench.supervisor.view().state.reason).toBe('2nd in line, behind next');
    other.release();
    await bench.settle();
    expect(bench.supervisor.view().state.reason).toBe('1st in line, until next has started');
    // A place in the line is no new state.
    expect([bench.runs, bench.states]).toEqual([[], ['starting']]);
    next.release();
    await bench.settle();
    expect(bench.supervisor.view().state.reason).toBe('preparing: npx may be downloading some-server');
    // The state is told anew because the terminal has a line for it.
    expect([bench.runs.length, bench.states]).toEqual([1, ['starting', 'starting']]);
    await bench.ready();
  });

  it('says how far the pull of an image is, as a reason and no new state', async () => {
    const bench = benchOf();
    void bench.supervisor.start('configuration');
    await bench.settle();
    const states = bench.states.length;
    bench.runs[0]?.hooks.onPulling?.('pulling mcp/box: layer 1 of 2');
    expect(bench.supervisor.view().state.reason).toBe('pulling mcp/box: layer 1 of 2');
    bench.runs[0]?.hooks.onPulling?.(undefined);
    expect(bench.supervisor.view().state.reason).toBeUndefined();
    expect(bench.states).toHaveLength(states);
    await bench.ready();
  });

  it('launches nothing for a start that was stopped before there was a run', async () => {
    const loaded = createDeferred<void>();
    const bench = benchOf({}, undefined, undefined, loaded.promise);
    const start = bench.supervisor.start();
    const refusal = expect(start).rejects.toThrow('"start" of server was superseded by a later "stop"');
    await bench.settle();
    await bench.supervisor.stop();
    loaded.resolve();
    await refusal;
    expect(bench.supervisor.stateKind).toBe('stopped');
    expect(bench.runs.map((run) => run.isAlive)).toEqual([false]);
    const again = bench.supervisor.start();
    await bench.settle();
    bench.run().becomeReady();
    await again;
  });

  it.each([
    ['start', 'start', true],
    ['stop', 'stop', true],
    ['restart', 'restart', true],
    ['restart', 'start', true],
    ['start', 'restart', false],
    ['start', 'stop', false],
    ['restart', 'stop', false],
    ['stop', 'start', false],
    ['stop', 'restart', false],
  ] as const)('during a %s, a %s joins it: %s', async (first, second, joins) => {
    const bench = first === 'start' ? benchOf() : await running();
    const before = watch(bench.supervisor[first]());
    await bench.settle();
    const after = watch(bench.supervisor[second]());
    await bench.settle();
    for (const run of bench.runs) if (run.endError) run.becomeGone();
    await bench.settle();
    if (bench.supervisor.stateKind === 'starting') await bench.ready();
    expect([before.outcome, after.outcome]).toEqual([joins ? 'resolved' : 'SUPERSEDED', 'resolved']);
  });

  it('rejects a command as soon as a later one replaces it', async () => {
    const bench = benchOf();
    const start = watch(bench.supervisor.start());
    await bench.settle();
    const stop = watch(bench.supervisor.stop());
    await bench.settle();
    expect(start.outcome).toBe('SUPERSEDED');
    const again = watch(bench.supervisor.start());
    await bench.settle();
    expect(stop.outcome).toBe('SUPERSEDED');
    bench.runs[0]!.becomeGone();
    await bench.settle();
    await bench.ready();
    expect([again.outcome, bench.supervisor.stateKind, bench.runs.length]).toEqual([
      'resolved',
      'running',
      2,
    ]);
  });

  it('rejects a start at the first failed attempt, while automatic starts go on', async () => {
    const bench = benchOf();
    const start = watch(bench.supervisor.start());
    await bench.settle();
    bench.run().failToStart();
    await bench.settle();
    expect([start.outcome, bench.supervisor.stateKind]).toEqual(['START_FAILED', 'backoff']);
    expect(bench.supervisor.view().state.reasonData).toBeUndefined();
    bench.run().becomeGone();
    await bench.clock.advance(1000);
    expect([bench.runs.length, bench.supervisor.stateKind]).toEqual([2, 'starting']);
  });
});

describe('ServerSupervisor: failures', () => {
  it('restarts immediately after a stable run, and with a backoff after a short one', async () => {
    const bench = await running();
    await bench.clock.advance(60_000);
    bench.run().crash();
    bench.run().becomeGone();
    await bench.clock.advance(0);
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['starting', 2]);
    await bench.ready();
    bench.run().crash();
    bench.run().becomeGone();
    await bench.clock.advance(0);
    expect(bench.supervisor.stateKind).toBe('backoff');
    expect(
      bench.events
        .filter((event) => event.kind === 'restart-scheduled')
        .map((event) => event.detail['delayMs']),
    ).toEqual([0, 1500]);
  });

  it('waits as long as a remote server asked to be left alone, also with the slow retry', async () => {
    const bench = benchOf({ restart: { maxRestartAttempts: 1, slowRetryMs: 5000 } });
    const busy = new PanelError('UNREACHABLE', 'busy', { data: { retryAfterMs: 20_000 } });
    void bench.supervisor.start().catch(() => undefined);
    for (const runs of [1, 2]) {
      await bench.settle();
      await bench.failed(busy);
      await bench.clock.advance(19_999);
      expect(bench.runs).toHaveLength(runs);
      expect(bench.supervisor.stateKind).toBe(runs === 1 ? 'backoff' : 'failed');
      await bench.clock.advance(1);
      expect(bench.runs).toHaveLength(runs + 1);
    }
  });

  it('gives up at the fourth failure in a row, names the cause, and tries once more after the slow retry', async () => {
    const bench = benchOf();
    void bench.supervisor.start().catch(() => undefined);
    for (let failure = 1; failure <= 4; failure += 1) {
      await bench.clock.advance(60_000);
      expect(bench.runs).toHaveLength(failure);
      await bench.failed();
    }
    expect(bench.supervisor.stateKind).toBe('failed');
    expect(bench.supervisor.view().lastError).toMatchObject({ code: 'START_FAILED' });
    expect(bench.supervisor.view().state.nextRetryAt).toBeDefined();
    await bench.clock.advance(299_999);
    expect(bench.runs).toHaveLength(4);
    await bench.clock.advance(1);
    expect(bench.runs).toHaveLength(5);
    bench.run().failToStart(new PanelError('START_FAILED', 'another cause'));
    await bench.settle();
    const told = (kind: string) => bench.events.filter((event) => event.kind === kind);
    expect(told('gave-up').map(({ detail }) => detail['reason'])).toEqual([
      '3 automatic restarts did not help',
      'one more try did not help',
    ]);
    // The slow retry's failure counts on from those before; a start by hand counts none.
    expect(told('start-failed').map(({ detail }) => detail['attempt'])).toEqual([undefined, 1, 2, 3, 3]);
    bench.run().becomeGone();
  });

  it('tries what fails in the same way again ever more rarely, and tells of it by one event that counts', async () => {
    const bench = benchOf();
    const startedAtMs: number[] = [];
    const failNext = async (message: string) => {
      const known = bench.runs.length;
      while (bench.runs.length === known) await bench.clock.advance(1000);
      startedAtMs.push(bench.clock.now());
      await bench.failed(new PanelError('START_FAILED', message));
    };
    void bench.supervisor.start().catch(() => undefined);
    for (let failure = 0; failure < 9; failure += 1) await failNext(`no key, see /logs/${failure}.log`);
    const minutes = startedAtMs.map((ms, index) => Math.round((ms - (startedAtMs[index - 1] ?? 0)) / 60_000));
    expect(minutes).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 60]);
    const told = (kind: string) => bench.events.filter((event) => event.kind === kind);
    expect(told('start-failed')).toHaveLength(4);
    expect(told('gave-up').map(({ detail }) => detail['repeats'])).toEqual([undefined, 4]);
    expect(bench.supervisor.view().lastError?.message).toContain('/logs/8.log');

    await failNext('another cause');
    expect([told('start-failed').length, told('gave-up').length]).toEqual([5, 3]);
    const { nextRetryAt, since } = bench.supervisor.view().state;
    expect((nextRetryAt ?? 0) - since).toBe(300_000);
  });

  it('fails at once, without a retry, when the command does not exist', async () => {
    const bench = benchOf();
    const start = watch(bench.supervisor.start());
    await bench.settle();
    bench.run().failToStart(commandNotFound('npxx', '/usr/bin'));
    await bench.settle();
    expect(start.outcome).toBe('COMMAND_NOT_FOUND');
    // The search path is left to the sentence.
    expect(bench.supervisor.view().state).toEqual({
      ...{ kind: 'failed', since: bench.clock.epochMs() },
      reason: 'The command "npxx" was not found. PATH tried: /usr/bin',
      reasonData: { phrase: 'the command "npxx" was not found', hasMore: true },
    });
    bench.run().becomeGone();
    await bench.clock.advance(24 * 3_600_000);
    expect(bench.runs).toHaveLength(1);
    expect(bench.clock.pending).toBe(0);
  });

  it('starts cleanly from failed, with a fresh budget', async () => {
    const bench = await starting({ restart: { enabled: false } });
    await bench.failed();
    expect(bench.supervisor.stateKind).toBe('failed');
    const start = bench.supervisor.start();
    await bench.settle();
    bench.run().becomeReady();
    await start;
    expect(bench.supervisor.view()).toMatchObject({ restartAttempt: 0, generation: 2 });
    expect(bench.supervisor.view().lastError).toBeUndefined();
  });

  it('counts an end with the engine of its container neither as a crash nor as an attempt', async () => {
    const bench = await running({ restart: { maxRestartAttempts: 1 } });
    const lost = new PanelError('CRASHED', 'lost its engine', { data: { isEngineLost: true } });
    for (let loss = 0; loss < 3; loss += 1) {
      bench.run().crash(lost);
      await bench.settle();
      await bench.renewed();
    }
    expect(bench.supervisor.stateKind).toBe('running');
    expect(bench.events.map(({ kind }) => kind)).not.toContain('crashed');
    expect(bench.events.map(({ kind }) => kind)).not.toContain('restart-scheduled');
  });

  it('makes one restart of a crash during a restart', async () => {
    const bench = await running();
    const restart = watch(bench.supervisor.restart());
    bench.run().crash();
    await bench.settle();
    bench.run().becomeGone();
    await bench.clock.advance(60_000);
    await bench.ready();
    expect([restart.outcome, bench.runs.length, bench.supervisor.generation]).toEqual(['resolved', 2, 2]);
  });
});

describe('ServerSupervisor: after a sleep of the machine', () => {
  /** Server that was given up, after as many automatic starts as it may have in a row. */
  async function givenUp(restart: Record<string, unknown>) {
    const bench = await starting({ restart });
    await bench.failed();
    while (bench.supervisor.stateKind !== 'failed') {
      await bench.clock.advance(60_000);
      await bench.failed();
    }
    return bench;
  }

  it('gives a server that was given up one more chance', async () => {
    const bench = await givenUp({ maxRestartAttempts: 1 });
    expect(bench.runs).toHaveLength(2);
    bench.supervisor.resumed();
    await bench.settle();
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['starting', 3]);
    expect(bench.supervisor.view().restartsTotal).toBe(2);
    await bench.failed();
    expect(bench.supervisor.stateKind).toBe('failed');
  });

  it('starts no more often than the hour allows, and leaves the slow retry where it was', async () => {
    const bench = await givenUp({ maxRestartAttempts: 1, maxPerHour: 2 });
    for (let wakeUp = 0; wakeUp < 10; wakeUp += 1) {
      bench.supervisor.resumed();
      await bench.settle();
      if (bench.supervisor.stateKind === 'starting') await bench.failed();
      await bench.clock.advance(6000);
    }
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['failed', 3]);
    await bench.clock.advance(HOUR_MS);
    expect(bench.runs).toHaveLength(4);
  });

  it('leaves servers alone that run, wait for their next attempt, or were stopped', async () => {
    const bench = await running();
    bench.supervisor.resumed();
    await bench.settle();
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['running', 1]);
    bench.run().crash();
    await bench.settle();
    bench.run().becomeGone();
    bench.supervisor.resumed();
    await bench.settle();
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['backoff', 1]);
    await stopped(bench);
    bench.supervisor.resumed();
    await bench.settle();
    expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['stopped', 1]);
  });
});

describe('ServerSupervisor: configuration', () => {
  it('restarts for another command, not for other panel settings', async () => {
    const bench = await running();
    bench.supervisor.configure(testConfig({ restart: { maxRestartAttempts: 7 } }));
    await bench.settle();
    expect([bench.supervisor.stateKind, bench.supervisor.view().maxRestartAttempts]).toEqual(['running', 7]);
    bench.supervisor.configure(testConfig({}, { args: ['--verbose'] }));
    await bench.settle();
    expect(bench.supervisor.stateKind).toBe('stopping');
    await bench.renewed();
    expect([bench.supervisor.stateKind, bench.supervisor.generation]).toEqual(['running', 2]);
  });

  /** Server that crashed once, and has been running again for so long. */
  async function runningAgainFor(ageMs: number) {
    const bench = await running({ restart: { stableAfterMs: 60_000 } });
    bench.run().crash();
    await bench.settle();
    bench.run().becomeGone();
    await bench.clock.advance(1000);
    await bench.ready();
    await bench.clock.advance(ageMs);
    expect(bench.supervisor.view().restartAttempt).toBe(1);
    return bench;
  }

  it.each([
    ['lowered', 10_000],
    ['raised', 120_000],
  ])('counts from the beginning of the run when stableAfterMs is %s', async (_name, stableAfterMs) => {
    const bench = await runningAgainFor(5000);
    bench.supervisor.configure(testConfig({ restart: { stableAfterMs } }));
    await bench.clock.advance(stableAfterMs - 5001);
    expect(bench.supervisor.view().restartAttempt).toBe(1);
    await bench.clock.advance(1);
    expect(bench.supervisor.view().restartAttempt).toBe(0);
  });

  it('takes a run for stable that is older than a lowered stableAfterMs', async () => {
    const bench = await runningAgainFor(5000);
    bench.supervisor.configure(testConfig({ restart: { stableAfterMs: 3000 } }));
    await bench.settle();
    expect(bench.supervisor.view().restartAttempt).toBe(0);
  });

  it('does not take back that a run was stable when stableAfterMs is raised', async () => {
    const bench = await running({ restart: { stableAfterMs: 1000 } });
    await bench.clock.advance(1000);
    bench.supervisor.configure(testConfig({ restart: { stableAfterMs: 60_000 } }));
    bench.run().crash();
    bench.run().becomeGone();
    await bench.clock.advance(0);
    expect(bench.supervisor.stateKind).toBe('starting');
  });

  async function givenUpFor(code: ErrorCode, panel: Record<string, unknown>) {
    const bench = await running({ restart: { enabled: false }, ...panel });
    bench.run().crash(new PanelError(code, 'given up'));
    await bench.settle();
    await bench.gone();
    expect(bench.supervisor.stateKind).toBe('failed');
    const configure = async (changed: Record<string, unknown>, entry: Partial<StdioServerConfig> = {}) => {
      bench.supervisor.configure(testConfig({ restart: { enabled: false }, ...panel, ...changed }, entry));
      await bench.settle();
      return bench.supervisor.stateKind;
    };
    return { bench, configure };
  }

  it.each([
    ['LIMIT_BREACHED', 'limits', { limits: { maxMemoryMiB: 2048 } }],
    ['STALLED', 'health', { health: { stallThresholdMs: 60_000 } }],
    ['STALLED', 'calls', { calls: { timeoutMs: 600_000 } }],
  ] as const)('starts one given up with %s afresh when its %s change', async (code, _name, changed) => {
    const { bench, configure } = await givenUpFor(code, {});
    expect(await configure(changed)).toBe('starting');
    await bench.ready();
    expect(bench.supervisor.view()).toMatchObject({ state: { kind: 'running' }, restartAttempt: 0 });
    expect(bench.supervisor.view().lastError).toBeUndefined();
  });

  it('starts it once, though the limits are written one after the other', async () => {
    const { bench, configure } = await givenUpFor('LIMIT_BREACHED', {});
    await configure({ limits: { maxMemoryMiB: 2048 } });
    expect(await configure({ limits: { maxMemoryMiB: 2048, maxOpenFiles: 2000 } })).toBe('starting');
    await bench.ready();
    expect([bench.supervisor.generation, bench.runs.length]).toEqual([2, 2]);
  });

  it.each([
    ['settings of another kind', 'LIMIT_BREACHED', { health: { onStall: 'notify' } }, {}],
    ['what did not make it fail', 'CRASHED', { limits: { maxMemoryMiB: 2048 } }, {}],
    ['a disabled one', 'LIMIT_BREACHED', { limits: { maxMemoryMiB: 2048 } }, { enabled: false }],
  ] as const)('leaves a failed server failed for %s', async (_name, code, changed, entry) => {
    const { bench, configure } = await givenUpFor(code, {});
    expect(await configure(changed, entry)).toBe('failed');
    expect(bench.runs).toHaveLength(1);
  });
});
