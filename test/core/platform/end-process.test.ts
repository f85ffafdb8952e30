import { describe, expect, it } from 'vitest';
import { endProcesses } from '../../../electron/core/platform/signals.ts';
import type { ProcessIdentity } from '../../../electron/core/platform/process-table.ts';
import { createFakeClock } from '../fake-clock.ts';

const wanted = { pid: 70, startTime: 'a' };
const graces = { stopGraceMs: 1000, killGraceMs: 2000 };

/** Process that `onSignal` may change; every signal is recorded with its time. */
function bench(onSignal: (signal: string) => ProcessIdentity | undefined) {
  const clock = createFakeClock();
  const signals: string[] = [];
  let found: ProcessIdentity | undefined = wanted;
  const table = { identify: () => Promise.resolve(found) };
  const signaller = {
    signalProcess: (pid: number, signal: string) => {
      signals.push(`${clock.now()} ${signal} ${pid}`);
      found = onSignal(signal);
      return Promise.resolve(true);
    },
  };
  const deps = { table, signaller, clock };
  return { clock, signals, deps, become: (next: ProcessIdentity | undefined) => void (found = next) };
}

describe('endProcesses', () => {
  it('never signals a pid that another process has by now, not even between its two signals', async () => {
    const stranger = { pid: 70, startTime: 'b' };
    const reused = bench(() => stranger);
    const ended = endProcesses(reused.deps, [wanted], graces);
    await reused.clock.advance(5000);
    expect(await ended).toEqual([]);
    expect(reused.signals).toHaveLength(1);

    const gone = bench(() => undefined);
    gone.become(stranger);
    expect(await endProcesses(gone.deps, [wanted], graces)).toEqual([]);
    expect(gone.signals).toEqual([]);
  });
});
