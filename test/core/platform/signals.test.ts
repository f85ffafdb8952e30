import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { signallerForPlatform, endProcesses, isPidTaken } from '../../../electron/core/platform/signals.ts';
import { skipOn } from '../../support/skip-on.ts';
import type { ProcessIdentity } from '../../../electron/core/platform/process-table.ts';
import { createFakeClock } from '../fake-clock.ts';

/** A process in a group of its own, and how it ended. */
function startSleeper() {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  const exit = once(child, 'exit').then(([, signal]) => signal as string | null);
  return { pid: child.pid!, exit };
}
/** Pid above every one that a system hands out. */
const NOBODY = 2 ** 30;

describe('signallerForPlatform', skipOn('win32', 'Windows has no signals'), () => {
  it.each(['signalGroup', 'signalProcess'] as const)(
    'tells whether %s reached somebody (POSIX)',
    async (how) => {
      const signaller = signallerForPlatform('linux');
      const { pid, exit } = startSleeper();
      expect(await signaller[how](pid, 'SIGTERM')).toBe(true);
      expect(await exit).toBe('SIGTERM');
      expect(await signaller[how](NOBODY, 'SIGTERM')).toBe(false);
    },
  );

  it.each(['signalGroup', 'signalProcess'] as const)(
    'ends a process by %s although there is no taskkill',
    async (how) => {
      const signaller = signallerForPlatform('win32');
      expect(signaller.isAlwaysForced).toBe(true);
      const { pid, exit } = startSleeper();
      expect(await signaller[how](pid, 'SIGTERM')).toBe(true);
      expect(await exit).toBe('SIGKILL');
      expect(await signaller[how](NOBODY, 'SIGTERM')).toBe(false);
    },
  );
});

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

it('tells a pid that some process has from one that nobody has any more', () => {
  const gone = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  expect([isPidTaken(process.pid), isPidTaken(process.ppid), isPidTaken(gone)]).toEqual([true, true, false]);
});
