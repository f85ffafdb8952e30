import type { Clock, Disposable } from '../../core/clock.ts';

/** Returns a function that, however often it is called within `windowMs`, runs `task` once at the end of that time. */
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
