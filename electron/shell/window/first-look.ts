import type { Clock, Disposable } from '../../core/clock.ts';
import { createDeferred } from '../../core/deferred.ts';

/** Milliseconds from the page's first snapshot of the servers until it has drawn the servers, on a busy machine. */
const DRAWING_MS = 250;
/** Maximum milliseconds to wait, even if the app window is slow or never opens. */
const LIMIT_MS = 3000;

/** Waits until the user sees all servers in the window. Heavy work that can wait starts after that. */
export class FirstLook {
  readonly #over = createDeferred<void>();
  readonly over = this.#over.promise;
  readonly #clock: Clock;
  #isGiven = false;
  #timer: Disposable | undefined;

  /** @param isExpected whether an app window opens; false if the panel starts without one */
  constructor(clock: Clock, isExpected: boolean) {
    this.#clock = clock;
    this.#endIn(isExpected ? LIMIT_MS : 0);
  }

  /** Called when the page has received its first snapshot. */
  snapshotGiven(): void {
    if (this.#isGiven || this.#timer === undefined) return;
    this.#isGiven = true;
    this.#timer.dispose();
    this.#endIn(DRAWING_MS);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #endIn(delayMs: number): void {
    this.#timer = this.#clock.setTimeout(() => this.#over.resolve(), delayMs);
  }
}
