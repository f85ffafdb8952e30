import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { skipOn } from '../../support/skip-on.ts';

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
