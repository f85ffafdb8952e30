import { existsSync } from 'node:fs';
import type { App } from 'electron';
import type { Clock } from '../../core/clock.ts';

const SWITCH = 'disable-gpu-process-crash-limit';
/**
 * A signal sent to the whole process group ends the GPU process and also reaches this process, within this time in ms. If it
 * did, the app is quitting by then.
 */
const SIGNAL_LIMIT_MS = 1000;

/**
 * Removes Chromium's limit on GPU crashes while the app quits. A closing terminal, a logout and systemd send the end signal to
 * all processes of a group, including Chromium's helpers. Chromium then tries in vain to restart its GPU process. After six
 * attempts within milliseconds, it would kill the whole app, and the servers could not be stopped in an orderly way. If the GPU
 * process fails while the app is not quitting, the limit is restored, and Chromium falls back to software rendering as usual.
 */
export class GpuCrashLimit {
  readonly #app: App;
  #isQuitting = false;

  constructor(app: App, clock: Clock) {
    this.#app = app;
    app.on('before-quit', () => {
      this.#isQuitting = true;
      this.lift();
    });
    app.on('child-process-gone', (_event, { type }) => {
      if (type === 'GPU') clock.setTimeout(() => this.#restore(), SIGNAL_LIMIT_MS);
    });
  }

  /** Removes the limit. Must be called after the first frame, because until then Chromium is still choosing how to render. */
  lift(): void {
    this.#app.commandLine.appendSwitch(SWITCH);
  }

  #restore(): void {
    if (!this.#isQuitting) this.#app.commandLine.removeSwitch(SWITCH);
  }
}

/** Device files of graphics hardware: Linux kernel, NVIDIA, WSL, and boards with their own drivers. */
const DEVICES = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0', '/dev/kgsl-3d0', '/dev/pvrsrvkm'];

/**
 * Whether there is graphics hardware. The check is made only on Linux; many virtual machines and containers have none. Without
 * hardware, Chromium's GPU process would first fail and then start again for software rendering, while the page waits.
 */
export function hasGraphicsDevice(
  platform: NodeJS.Platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || DEVICES.some(exists);
}
