import type { Disposable } from './clock.ts';

/**
 * Runs `task` after the event loop has next polled for input. Timers run before that, several in a row in a late loop, when data
 * in a pipe is not read yet.
 */
export function afterInput(task: () => void): Disposable {
  const immediate = setImmediate(task);
  return { dispose: () => clearImmediate(immediate) };
}
