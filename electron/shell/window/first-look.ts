import type { Clock, Disposable } from '../../core/clock.ts';
import { createDeferred } from '../../core/deferred.ts';

/** The page needs this long from having its snapshot to the frame that shows it, on a busy machine. */
const DRAWING_MS = 250;
/** Nothing waits longer than this, however slow the window is, and whether it comes at all. */
const LIMIT_MS = 3000;

export interface FirstLookOptions {
  readonly clock: Clock;
  /** False when the panel starts without a window. */
  readonly isExpected: boolean;
}

/** The time until a person sees all servers in the window. What takes the machine's time and can wait comes after it. */
export interface FirstLook {
  readonly over: Promise<void>;
  /** The page has the first snapshot. */
  snapshotGiven(): void;
  dispose(): void;
}

export function createFirstLook({ clock, isExpected }: FirstLookOptions): FirstLook {
  const over = createDeferred<void>();
  let isGiven = false;
  let timer: Disposable | undefined = clock.setTimeout(() => over.resolve(), isExpected ? LIMIT_MS : 0);
  return {
    over: over.promise,
    snapshotGiven() {
      if (isGiven || timer === undefined) return;
      isGiven = true;
      timer.dispose();
      timer = clock.setTimeout(() => over.resolve(), DRAWING_MS);
    },
    dispose() {
      timer?.dispose();
      timer = undefined;
    },
  };
}
