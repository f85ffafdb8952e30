import { existsSync } from 'node:fs';
import type { App } from 'electron';
import type { Clock } from '../../core/clock.ts';

const SWITCH = 'disable-gpu-process-crash-limit';
/** Milliseconds within which a signal that ended the GPU process also reaches this process; if it does, the app is quitting. */
const SIGNAL_LIMIT_MS = 1000;

/**
 * Lifts Chromium's limit of GPU crashes while the app quits. A closing terminal, a logout and systemd signal every process of a
 * group, including Chromium's helpers. Chromium then cannot restart its GPU process; after six attempts within milliseconds it
 * kills itself, and with it the orderly stop of the servers. If the GPU process fails for another reason, the limit is
 * restored, and Chromium falls back to software rendering as usual.
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

  /** Must be called after the first frame, because until then Chromium is choosing how to render. */
  lift(): void {
    this.#app.commandLine.appendSwitch(SWITCH);
  }

  #restore(): void {
    if (!this.#isQuitting) this.#app.commandLine.removeSwitch(SWITCH);
  }
}

/** Device files of graphics hardware: Linux kernel, NVIDIA, WSL, boards with their own drivers. */
const DEVICES = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0', '/dev/kgsl-3d0', '/dev/pvrsrvkm'];

/**
 * Whether there is graphics hardware; false only on Linux, as in many virtual machines and containers. There Chromium's GPU
 * process would fail and start again for software rendering, while the page waits.
 */
export function hasGraphicsDevice(
  platform: NodeJS.Platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || DEVICES.some(exists);
}
