import type { Clock, Disposable } from '../../core/clock.ts';
import { createDeferred } from '../../core/deferred.ts';

/** Milliseconds that a page needs from its snapshot to the frame that shows it, on a busy machine. */
const DRAWING_MS = 250;
/** Maximum milliseconds to wait, even if the app window is slow or never opens. */
const LIMIT_MS = 3000;

export interface FirstLookOptions {
  readonly clock: Clock;
  /** Whether an app window opens; false if the panel starts without one. */
  readonly isExpected: boolean;
}

/** Time until the user sees all servers in the window. Work that is heavy and can wait starts after it. */
export interface FirstLook {
  readonly over: Promise<void>;
  /** Called when the page has got its first snapshot. */
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
