import type { Clock, Disposable } from '../../core/clock.ts';

/** A function that runs `task` once for all calls within `windowMs`, after the last of them at the latest by that time. */
export function coalesce(clock: Clock, windowMs: number, task: () => void): (() => void) & Disposable {
  let timer: Disposable | undefined;
  const request = () => {
    timer ??= clock.setTimeout(() => {
      timer = undefined;
      task();
    }, windowMs);
  };
  return Object.assign(request, { dispose: () => timer?.dispose() });
}
