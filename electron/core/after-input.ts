import type { Disposable } from './clock.ts';

/**
 * Runs `task` behind the next look of the event loop for input. Timers run before it, several of a late loop in a row:
 * what lies in a pipe by then has not been read.
 */
export function afterInput(task: () => void): Disposable {
  const immediate = setImmediate(task);
  return { dispose: () => clearImmediate(immediate) };
}
