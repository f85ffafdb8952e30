import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hideWindow } from '../../../electron/shell/window/hide-window.ts';

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
