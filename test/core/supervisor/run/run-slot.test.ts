import { describe, expect, it } from 'vitest';
import type { StopReport } from '../../../../electron/core/platform/hosted-run.ts';
import { ProcessCustody } from '../../../../electron/core/supervisor/custody/process-custody.ts';
import { RunSlot } from '../../../../electron/core/supervisor/server-runs.ts';
import { nothingToEnd, type Run } from '../../../../electron/core/supervisor/run/run.ts';

/** Slot with one run in it, and all that it told. */
function bench() {
  const notices: string[] = [];
  const forgotten: string[] = [];
  class RecordedCustody extends ProcessCustody {
    override forget({ marker }: { marker: string }): void {
      forgotten.push(marker);
    }
  }
  const slot = new RunSlot({
    server: 'web',
    logEvent: () => undefined,
    notice: (line) => notices.push(line),
    onChange: () => undefined,
    custody: new RecordedCustody(undefined, undefined),
  });
  const run: Run = {
    pid: 100,
    connection: undefined,
    record: { marker: 'm', groupPid: 100, members: [] },
    launch: () => Promise.resolve(),
    sampled: () => undefined,
    end: () => Promise.resolve(nothingToEnd),
    kill: () => Promise.resolve(nothingToEnd),
  };
  slot.put(run, 1);
  const ended = async (report: StopReport) => {
    // A stop comes on top of a crash.
    slot.end(() => Promise.resolve(report));
    slot.end(() => Promise.resolve(report));
    await slot.cleared;
  };
  return { slot, ended, notices, forgotten };
}

describe('RunSlot', () => {
  it('takes a run of which nothing is left off the record', async () => {
    const { slot, ended, notices, forgotten } = bench();
    await ended(nothingToEnd);
    expect([slot.run, notices, forgotten]).toEqual([undefined, [], ['m']]);
  });

  it('says once that processes could not be looked up, and keeps the run on record', async () => {
    const { slot, ended, notices, forgotten } = bench();
    await ended({ ...nothingToEnd, lookError: new Error('powershell ended (1)') });
    expect([slot.run, forgotten]).toEqual([undefined, []]);
    expect(notices).toEqual([expect.stringMatching(/^web: .*powershell ended/)]);
  });

  it('keeps a run on record of which a process is left', async () => {
    const { ended, notices, forgotten } = bench();
    await ended({ ...nothingToEnd, leftPids: [100] });
    expect([notices, forgotten]).toEqual([['web: processes 100 did not end even after SIGKILL'], []]);
  });
});
