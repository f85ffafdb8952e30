import type { Clock, Disposable } from '../../clock.ts';
import type { RefusalReason } from '../../../../shared/gateway.ts';

/** Refusals of one reason, reported together at most once a minute. */
export interface RefusalReport {
  readonly reason: RefusalReason;
  /** Number of refusals since the last report of this reason. */
  readonly count: number;
  /** Name of the client that was refused last, where it is known. */
  readonly clientName?: string | undefined;
}

const REPORT_MS = 60_000;

interface Waiting {
  count: number;
  clientName: string | undefined;
  readonly timer: Disposable;
}

/** Reports refusals: the first of a reason at once, later ones together, so that a flood makes one report a minute. */
export class RefusalLog {
  readonly #clock: Clock;
  readonly #onRefused: (report: RefusalReport) => void;
  readonly #waiting = new Map<RefusalReason, Waiting>();
  #isDisposed = false;

  constructor(clock: Clock, onRefused: (report: RefusalReport) => void) {
    this.#clock = clock;
    this.#onRefused = onRefused;
  }

  add(reason: RefusalReason, clientName?: string): void {
    if (this.#isDisposed) return;
    const waiting = this.#waiting.get(reason);
    if (waiting) {
      waiting.count += 1;
      waiting.clientName = clientName;
      return;
    }
    this.#wait(reason);
    this.#onRefused({ reason, count: 1, clientName });
  }

  /** Reports the refusals that were held back. */
  dispose(): void {
    this.#isDisposed = true;
    for (const [reason, waiting] of this.#waiting) {
      waiting.timer.dispose();
      this.#tell(reason, waiting);
    }
    this.#waiting.clear();
  }

  #wait(reason: RefusalReason): void {
    const timer = this.#clock.setTimeout(() => this.#minuteOver(reason), REPORT_MS);
    this.#waiting.set(reason, { count: 0, clientName: undefined, timer });
  }

  #minuteOver(reason: RefusalReason): void {
    const waiting = this.#waiting.get(reason);
    this.#waiting.delete(reason);
    if (!waiting || waiting.count === 0) return;
    this.#wait(reason);
    this.#tell(reason, waiting);
  }

  #tell(reason: RefusalReason, { count, clientName }: Waiting): void {
    if (count > 0) this.#onRefused({ reason, count, clientName });
  }
}
