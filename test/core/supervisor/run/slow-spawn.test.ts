import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { ExitStatus, SpawnedChild, SpawnRequest } from '../../../../electron/core/platform/spawner.ts';
import type { RunHooks } from '../../../../electron/core/supervisor/run/run.ts';
import { StdioRun } from '../../../../electron/core/supervisor/run/stdio-run.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses, openStreams } from '../fake-processes.ts';
import { testConfig, watch } from '../supervisor-bench.ts';
import { stdioRunDeps } from '../supervisor-deps.ts';
import { quietHooks } from './quiet-hooks.ts';

const PID = 100;
const LIMITS = { startTimeoutMs: 10_000, startMaxMs: 30_000 };
const GRACES = { stopGraceMs: 1000, killGraceMs: 1000 };
const stopped = new PanelError('STOPPED', 'It was stopped.');

/** Run whose spawn is under way until the test lets the child appear. */
function bench(isRecordHeld = false) {
  const clock = createFakeClock();
  const exited = createDeferred<ExitStatus>();
  const spawn = createDeferred<SpawnedChild>();
  const requests: SpawnRequest[] = [];
  class Machine extends FakeProcesses {
    override end(pid: number): void {
      super.end(pid);
      if (pid === PID) exited.resolve({ signal: 'SIGKILL' });
    }
  }
  const machine = new Machine();
  const spawnedPids: (number | undefined)[] = [];
  const settings = panelSettingsSchema.parse(LIMITS);
  const record = createDeferred<void>();
  const onRecord: string[] = [];
  if (!isRecordHeld) record.resolve();
  const hooks: RunHooks = {
    ...quietHooks(() => settings),
    announce: async (marker) => {
      onRecord.push(marker);
      await record.promise;
      return () => void onRecord.splice(onRecord.indexOf(marker), 1);
    },
    onHosted: () => spawnedPids.push(run.pid),
  };
  const deps = stdioRunDeps({
    table: machine,
    signaller: machine,
    clock,
    spawner: (request: SpawnRequest) => {
      requests.push(request);
      return spawn.promise;
    },
  });
  const run: StdioRun = new StdioRun(deps, testConfig() as StdioServerConfig, hooks);
  const appear = () => {
    machine.add({ pid: PID, ppid: 1, groupId: PID, marker: 'm' });
    const streams = openStreams();
    spawn.resolve({ pid: PID, ...streams, exited: exited.promise });
  };
  const signals = () => machine.sent.map(({ signal }) => signal);
  return {
    clock,
    machine,
    run,
    requests,
    onRecord,
    writeRecord: () => record.resolve(),
    spawnedPids,
    signals,
    appear,
    fail: (error: PanelError) => spawn.reject(error),
  };
}

describe('a run that is put on record', () => {
  it('spawns nothing before its marker is on disk, and stays there once it has', async () => {
    const { clock, run, requests, onRecord, writeRecord, appear } = bench(true);
    const launch = watch(run.launch());
    await clock.advance(0);
    expect([onRecord, requests]).toEqual([['m'], []]);
    writeRecord();
    await clock.advance(0);
    expect(requests).toHaveLength(1);
    appear();
    await clock.advance(0);
    expect([launch.outcome, onRecord]).toEqual(['pending', ['m']]);
  });

  it('is taken off it when the spawn fails, and when the child came too late and was ended', async () => {
    const failing = bench();
    const launch = watch(failing.run.launch());
    failing.fail(new PanelError('COMMAND_NOT_FOUND', 'no such command'));
    await failing.clock.advance(0);
    expect([launch.outcome, failing.onRecord]).toEqual(['COMMAND_NOT_FOUND', []]);
    const late = bench();
    watch(late.run.launch());
    await late.clock.advance(0);
    const ended = late.run.end(GRACES, stopped);
    await late.clock.advance(GRACES.stopGraceMs * 2);
    await ended;
    expect(late.onRecord).toEqual(['m']);
    late.appear();
    await late.clock.advance(GRACES.killGraceMs * 10);
    expect(late.onRecord).toEqual([]);
  });
});

describe('a run whose spawn hangs', () => {
  it('fails to start within its limits', async () => {
    const { clock, run } = bench();
    const launch = watch(run.launch());
    await clock.advance(LIMITS.startTimeoutMs - 1);
    expect(launch.outcome).toBe('pending');
    await clock.advance(1);
    expect(launch.outcome).toBe('START_TIMEOUT');
    expect(clock.pending).toBe(0);
  });

  it('is given a full startTimeoutMs more by the child that appears, and startMaxMs at most', async () => {
    const { clock, run, appear } = bench();
    const launch = watch(run.launch());
    await clock.advance(LIMITS.startTimeoutMs - 1);
    appear();
    await clock.advance(LIMITS.startTimeoutMs - 1);
    expect(launch.outcome).toBe('pending');
    await clock.advance(1);
    expect(launch.outcome).toBe('START_TIMEOUT');
  });

  it.each(['end', 'kill'] as const)(
    'is over a bounded time after its %s, and its launch at once',
    async (how) => {
      const { clock, run, requests } = bench();
      const launch = watch(run.launch());
      await clock.advance(0);
      const ended = how === 'end' ? run.end(GRACES, stopped) : run.kill(stopped);
      await clock.advance(0);
      expect(launch.outcome).toBe('STOPPED');
      expect(requests[0]?.signal?.aborted).toBe(true);
      await clock.advance(3000);
      expect(await ended).toEqual({ exit: undefined, forceKilledPids: [], leftPids: [] });
      expect(clock.pending).toBe(0);
    },
  );

  it('kills the child that appears when nobody waits for it any more', async () => {
    const { clock, run, machine, spawnedPids, signals, appear } = bench();
    const launch = watch(run.launch());
    await clock.advance(0);
    const ended = run.end(GRACES, stopped);
    await clock.advance(60_000);
    await ended;
    appear();
    await clock.advance(0);
    expect([signals(), machine.all]).toEqual([['SIGKILL'], []]);
    expect([launch.outcome, spawnedPids, run.connection]).toEqual(['STOPPED', [], undefined]);
    await clock.advance(60_000);
    expect(clock.pending).toBe(0);
  });

  it('ends the child that appears in time with its graces', async () => {
    const { clock, run, spawnedPids, signals, appear } = bench();
    watch(run.launch());
    await clock.advance(0);
    const ended = run.end(GRACES, stopped);
    appear();
    await clock.advance(GRACES.stopGraceMs);
    expect([signals(), spawnedPids]).toEqual([['SIGTERM'], [PID]]);
    await clock.advance(60_000);
    expect(await ended).toMatchObject({ forceKilledPids: [], leftPids: [] });
    expect(clock.pending).toBe(0);
  });

  it('leaves nothing to be told when the spawn fails after all', async () => {
    const { clock, run, fail } = bench();
    const launch = watch(run.launch());
    const ended = run.kill(stopped);
    await clock.advance(60_000);
    await ended;
    fail(new PanelError('CWD_MISSING', 'The working folder does not exist.'));
    await clock.advance(0);
    expect(launch.outcome).toBe('STOPPED');
  });

  it('spawns nothing once it has been ended', async () => {
    const { clock, run, requests } = bench();
    await run.end(GRACES, stopped);
    const launch = watch(run.launch());
    await clock.advance(0);
    expect([launch.outcome, requests]).toEqual(['STOPPED', []]);
  });
});
