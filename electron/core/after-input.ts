import type { Disposable } from './clock.ts';

/**
 * Runs `task` after the event loop has next polled for input. Timers run before that poll, and a late loop runs several of them
 * in a row while data in a pipe has not been read yet.
 */
export function afterInput(task: () => void): Disposable {
  const immediate = setImmediate(task);
  return { dispose: () => clearImmediate(immediate) };
}
