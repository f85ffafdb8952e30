import type { Clock, Disposable } from '../../core/clock.ts';

/** Returns a function that runs `task` once for all its calls within `windowMs`, at the end of that time. */
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
