import type { App } from 'electron';
import type { Clock } from '../core/clock.ts';

const SWITCH = 'disable-gpu-process-crash-limit';
/** Within this time a signal that hit the GPU process as well has reached us, and we are quitting. */
const SIGNAL_LIMIT_MS = 1000;

export interface GpuCrashLimitOptions {
  readonly app: Pick<App, 'on' | 'commandLine'>;
  readonly clock: Clock;
  readonly isQuitting: () => boolean;
}

/**
 * A closing terminal, a logout and systemd send their signal to every process of a group, Chromium's helpers too.
 * Chromium then cannot start its GPU process again and, after six attempts within milliseconds, kills itself, and
 * with it the orderly stop of the servers. So the limit is lifted; a GPU process that fails for another reason
 * brings it back, and Chromium falls back to drawing in software as ever. To be called once the GPU works.
 */
export function liftGpuCrashLimit({ app, clock, isQuitting }: GpuCrashLimitOptions): void {
  app.commandLine.appendSwitch(SWITCH);
  app.on('child-process-gone', (_event, { type }) => {
    if (type !== 'GPU') return;
    clock.setTimeout(() => {
      if (!isQuitting()) app.commandLine.removeSwitch(SWITCH);
    }, SIGNAL_LIMIT_MS);
  });
}
