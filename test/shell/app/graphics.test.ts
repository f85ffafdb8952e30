import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { GpuCrashLimit, hasGraphicsDevice } from '../../../electron/shell/app/graphics.ts';
import { createFakeClock, type FakeClock } from '../../core/fake-clock.ts';

/** The part of Electron's app that the limit needs. */
class FakeApp extends EventEmitter {
  readonly switches = new Set<string>();
  readonly commandLine = {
    appendSwitch: (name: string) => void this.switches.add(name),
    removeSwitch: (name: string) => void this.switches.delete(name),
  };
}

let app: FakeApp;
let clock: FakeClock;
let limit: GpuCrashLimit;

beforeEach(() => {
  app = new FakeApp();
  clock = createFakeClock();
  limit = new GpuCrashLimit(app as unknown as ConstructorParameters<typeof GpuCrashLimit>[0], clock);
});

const helperGone = (type: string) => app.emit('child-process-gone', {}, { type });

describe('GpuCrashLimit', () => {
  it('is in force until something is drawn, so that Chromium finds a way to draw', () => {
    expect(app.switches.size).toBe(0);
    limit.lift();
    expect(app.switches.size).toBe(1);
  });

  it('comes back when the GPU process fails by itself', async () => {
    limit.lift();
    helperGone('GPU');
    expect(app.switches.size).toBe(1);
    await clock.advance(1000);
    expect(app.switches.size).toBe(0);
  });

  it('stays lifted when the GPU process fell to a signal that also makes us quit', async () => {
    limit.lift();
    helperGone('GPU');
    app.emit('before-quit');
    await clock.advance(1000);
    expect(app.switches.size).toBe(1);
  });

  it('is lifted by quitting at the latest, and other helpers do not matter', async () => {
    helperGone('Utility');
    app.emit('before-quit');
    await clock.advance(1000);
    expect(app.switches.size).toBe(1);
    expect(clock.pending).toBe(0);
  });
});

const nowhere = () => false;

describe('hasGraphicsDevice', () => {
  it('finds none on a Linux without any device file of graphics', () => {
    expect(hasGraphicsDevice('linux', nowhere)).toBe(false);
  });

  it.each(['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0'])('finds hardware behind %s', (device) => {
    expect(hasGraphicsDevice('linux', (path) => path === device)).toBe(true);
  });

  it.each(['darwin', 'win32'] as const)('leaves the question to Chromium on %s', (platform) => {
    expect(hasGraphicsDevice(platform, nowhere)).toBe(true);
  });
});
