import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bringBack, hideWindow, reloadDelayMs } from '../../../electron/shell/window/window-behaviour.ts';

/** What a window is told to do when it is asked for. */
function stepsOf({ tellsMinimised, wasMinimised }: { tellsMinimised: boolean; wasMinimised: boolean }) {
  const steps: string[] = [];
  const note = (step: string) => () => void steps.push(step);
  const window = {
    isMinimized: () => tellsMinimised,
    restore: note('restore'),
    hide: note('hide'),
    show: note('show'),
    focus: note('focus'),
  };
  bringBack(window, wasMinimised);
  return steps;
}

describe('a window that is asked for', () => {
  it('is restored where the system tells that it is minimised', () => {
    for (const wasMinimised of [true, false]) {
      expect(stepsOf({ tellsMinimised: true, wasMinimised })).toEqual(['restore', 'show', 'focus']);
    }
  });

  it('comes anew where the panel minimised it and the system, as Wayland, tells of nothing', () => {
    expect(stepsOf({ tellsMinimised: false, wasMinimised: true })).toEqual(['hide', 'show', 'focus']);
  });

  it('is not taken off the screen otherwise', () => {
    expect(stepsOf({ tellsMinimised: false, wasMinimised: false })).toEqual(['show', 'focus']);
  });
});

class FakeWindow extends EventEmitter {
  readonly done: string[] = [];
  destroyed = false;
  readonly #fullScreen: boolean;

  constructor(fullScreen: boolean) {
    super();
    this.#fullScreen = fullScreen;
  }

  isFullScreen = () => this.#fullScreen;
  isDestroyed = () => this.destroyed;
  hide = () => void this.done.push('hide');
  setFullScreen = (isFull: boolean) => void this.done.push(`full screen ${isFull}`);
}

describe('hideWindow', () => {
  it('leaves the full screen of macOS before it hides, and hides once it has left', () => {
    const window = new FakeWindow(true);
    hideWindow(window, 'darwin');
    expect(window.done).toEqual(['full screen false']);
    window.emit('leave-full-screen');
    window.emit('leave-full-screen');
    expect(window.done).toEqual(['full screen false', 'hide']);
  });

  it('leaves a window alone that was destroyed meanwhile', () => {
    const window = new FakeWindow(true);
    hideWindow(window, 'darwin');
    window.destroyed = true;
    window.emit('leave-full-screen');
    expect(window.done).toEqual(['full screen false']);
  });

  it.each([
    ['darwin', false],
    ['win32', true],
    ['linux', true],
  ] as const)('hides at once on %s, full screen: %s', (platform, fullScreen) => {
    const window = new FakeWindow(fullScreen);
    hideWindow(window, platform);
    expect(window.done).toEqual(['hide']);
  });
});

describe('reloadDelayMs', () => {
  it('loads a page that crashed once again at once, and one that keeps crashing after a pause', () => {
    expect(reloadDelayMs(Number.POSITIVE_INFINITY)).toBe(0);
    expect(reloadDelayMs(60_000)).toBe(0);
    expect(reloadDelayMs(9_999)).toBe(5000);
  });
});
