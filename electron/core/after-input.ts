import type { Disposable } from './clock.ts';

/**
 * Runs `task` after the event loop has polled for input once more. A delayed loop runs several timers in a row before that
 * poll, so a timer alone could fire although unread data is waiting in a pipe.
 */
export function afterInput(task: () => void): Disposable {
  const immediate = setImmediate(task);
  return { dispose: () => clearImmediate(immediate) };
}
