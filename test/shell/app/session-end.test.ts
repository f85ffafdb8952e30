import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchSessionEnd, type SessionEndOptions } from '../../../electron/shell/app/session-end.ts';

class BareWindow extends EventEmitter {
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
  }
}

function watch(platform: NodeJS.Platform, changes: Partial<SessionEndOptions> = {}) {
  const app = new EventEmitter();
  const powerMonitor = new EventEmitter();
  const made: BareWindow[] = [];
  let ends = 0;
  const undo = watchSessionEnd({
    platform,
    app,
    powerMonitor,
    startsHidden: false,
    createBareWindow: () => {
      const window = new BareWindow();
      made.push(window);
      return window;
    },
    onEnd: () => (ends += 1),
    ...changes,
  });
  return { app, powerMonitor, made, undo, ends: () => ends };
}

describe('watchSessionEnd', () => {
  it.each(['darwin', 'linux'] as const)(
    'hears of it from the system on %s, and is waited for',
    (platform) => {
      const { powerMonitor, made, ends } = watch(platform, { startsHidden: true });
      let prevented = 0;
      powerMonitor.emit('shutdown', { preventDefault: () => (prevented += 1) });
      powerMonitor.emit('shutdown');
      expect([ends(), prevented, made.length]).toEqual([2, 1, 0]);
    },
  );

  it('hears of it from any window on Windows, and not before the end is certain', () => {
    const { app, made, ends } = watch('win32');
    const window = new EventEmitter();
    app.emit('browser-window-created', {}, window);
    window.emit('query-session-end', {});
    expect(ends()).toBe(0);
    window.emit('session-end', {});
    expect([ends(), made.length]).toEqual([1, 0]);
  });

  it('has a bare window on Windows when it starts without one', () => {
    const { made, ends, undo } = watch('win32', { startsHidden: true });
    made[0]!.emit('session-end', {});
    expect(ends()).toBe(1);
    undo();
    expect(made[0]!.isDestroyed).toBe(true);
  });

  it('does without it where this Electron has none', () => {
    const { app, ends, undo } = watch('win32', { startsHidden: true, createBareWindow: undefined });
    const window = new EventEmitter();
    app.emit('browser-window-created', {}, window);
    window.emit('session-end');
    undo();
    expect(ends()).toBe(1);
  });
});
