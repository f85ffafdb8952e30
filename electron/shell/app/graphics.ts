import { existsSync } from 'node:fs';
import type { App } from 'electron';
import type { Clock } from '../../core/clock.ts';

const SWITCH = 'disable-gpu-process-crash-limit';
/**
 * Milliseconds within which a signal that ended the GPU process also reaches this process, if it was sent to both. The app is
 * then quitting.
 */
const SIGNAL_LIMIT_MS = 1000;

/**
 * Removes Chromium's limit of GPU crashes while the app quits. A closing terminal, a logout and systemd signal every process of
 * a group, including Chromium's helpers. Chromium then cannot restart its GPU process. After six attempts within milliseconds,
 * it kills itself and thereby interrupts the orderly stop of the servers. If the GPU process fails for another reason, the
 * limit is restored, and Chromium falls back to software rendering as usual.
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
 * Whether there is graphics hardware; false only on Linux, as in many virtual machines and containers. Without hardware,
 * Chromium's GPU process would fail and start again for software rendering while the page waits.
 */
export function hasGraphicsDevice(
  platform: NodeJS.Platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || DEVICES.some(exists);
}
