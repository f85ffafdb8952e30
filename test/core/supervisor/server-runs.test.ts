import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import type { StopReport } from '../../../electron/core/platform/hosted-run.ts';
import { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { RunLog } from '../../../electron/core/supervisor/run/run-log.ts';
import { nothingToEnd, type Run } from '../../../electron/core/supervisor/run/run.ts';
import { ServerRuns } from '../../../electron/core/supervisor/server-runs.ts';
import { createFakeClock } from '../fake-clock.ts';
import { testConfig } from './supervisor-bench.ts';
import { supervisorDeps } from './supervisor-deps.ts';

/** Runs of one server whose newest has begun, and all that they told. */
async function bench(report: StopReport) {
  const clock = createFakeClock();
  const notices: string[] = [];
  const forgotten: string[] = [];
  class RecordedCustody extends ProcessCustody {
    override forget({ marker }: { marker: string }): void {
      forgotten.push(marker);
    }
  }
  const run: Run = {
    pid: 100,
    connection: undefined,
    record: { marker: 'm', groupPid: 100, members: [] },
    launch: () => Promise.resolve(),
    sampled: () => undefined,
    end: () => Promise.resolve(report),
    kill: () => Promise.resolve(report),
  };
  const nothing = () => undefined;
  const runs = new ServerRuns({
    deps: {
      ...supervisorDeps(clock),
      notice: (line) => notices.push(line),
      custody: new RecordedCustody(undefined, undefined),
      createRun: () => run,
    },
    config: () => testConfig(),
    log: new RunLog({
      clock,
      logEvent: nothing,
      stderrTail: () => '',
      generation: () => 1,
      attempts: () => 0,
      idleMs: nothing,
    }),
    onReason: nothing,
    onUp: nothing,
    onStartFailed: nothing,
    onCrashed: nothing,
    onFound: nothing,
  });
  runs.begin(1, 'awaited');
  await clock.advance(0);
  const error = new PanelError('STOPPED', 'it was stopped');
  const ended = async () => {
    // A stop comes on top of a crash.
    runs.sweep(error);
    runs.stop(error);
    await runs.cleared;
  };
  return { runs, run, ended, notices, forgotten };
}

describe('ServerRuns', () => {
  it('takes a run of which nothing is left off the record', async () => {
    const { runs, run, ended, notices, forgotten } = await bench(nothingToEnd);
    expect(runs.current).toBe(run);
    await ended();
    expect([runs.current, notices, forgotten]).toEqual([undefined, [], ['m']]);
  });

  it('says once that processes could not be looked up, and keeps the run on record', async () => {
    const report = { ...nothingToEnd, lookError: new Error('powershell ended (1)') };
    const { runs, ended, notices, forgotten } = await bench(report);
    await ended();
    expect([runs.current, forgotten]).toEqual([undefined, []]);
    expect(notices).toEqual([expect.stringMatching(/^server: .*powershell ended/)]);
  });

  it('keeps a run on record of which a process is left', async () => {
    const { ended, notices, forgotten } = await bench({ ...nothingToEnd, leftPids: [100] });
    await ended();
    expect([notices, forgotten]).toEqual([['server: processes 100 did not end even after SIGKILL'], []]);
  });
});
