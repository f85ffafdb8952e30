import type { App } from 'electron';
import type { Clock } from '../../core/clock.ts';

const SWITCH = 'disable-gpu-process-crash-limit';
/** A signal that ended the GPU process reaches this process, too, within this time; by then the app is quitting. */
const SIGNAL_LIMIT_MS = 1000;

/**
 * A closing terminal, a logout and systemd send their signal to every process of a group, Chromium's helpers too.
 * Chromium then cannot start its GPU process again and, after six attempts within milliseconds, kills itself, and
 * with it the orderly stop of the servers. So the limit is lifted, at the latest when quitting begins. A GPU process
 * that fails for another reason brings it back, and Chromium falls back to drawing in software as ever.
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

  /** The caller waits until something is drawn, because until then Chromium is still finding out how to draw. */
  lift(): void {
    this.#app.commandLine.appendSwitch(SWITCH);
  }

  #restore(): void {
    if (!this.#isQuitting) this.#app.commandLine.removeSwitch(SWITCH);
  }
}
