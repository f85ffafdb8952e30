import type { AlertTest, UnsentAlert } from '../../../shared/alerts.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { Alert } from './alert-words.ts';

interface AlertQueueOptions {
  readonly clock: Clock;
  /** Sends one alert once. Never rejects. */
  readonly send: (alert: Alert, signal: AbortSignal) => Promise<AlertTest>;
  /** Called with alerts that are given up: one after all its tries, or several for which the queue had no room. */
  readonly onUnsent: (alerts: readonly Alert[], why: Pick<UnsentAlert, 'reason' | 'status'>) => void;
}

export const MAX_WAITING = 100;
/** Pauses before the second and third try, in ms. */
const PAUSES_MS = [5000, 30_000];

/** Sends alerts one by one, each with up to three tries. If the queue is full, the oldest are dropped. The caller disposes. */
export class AlertQueue {
  readonly #options: AlertQueueOptions;
  #waiting: Alert[] = [];
  /** Alerts that the full queue has dropped and that `onUnsent` has not reported yet. */
  #dropped: Alert[] = [];
  #isSending = false;
  #pause: Disposable | undefined;
  readonly #end = new AbortController();

  constructor(options: AlertQueueOptions) {
    this.#options = options;
  }

  /** Number of waiting alerts, including the one that is being sent. */
  get size(): number {
    return this.#waiting.length;
  }

  add(alert: Alert): void {
    this.#waiting.push(alert);
    if (this.#waiting.length > MAX_WAITING)
      this.#dropped.push(...this.#waiting.splice(this.#isSending ? 1 : 0, 1));
    if (!this.#isSending) void this.#next();
  }

  /** Ends the queue. Waiting alerts are reported as not sent. */
  dispose(): void {
    this.#end.abort();
    this.#pause?.dispose();
    this.#tellDropped();
    const left = this.#waiting.splice(0);
    if (left.length > 0) this.#options.onUnsent(left, { reason: 'The panel was quit before.' });
  }

  async #next(tries = 1): Promise<void> {
    const [alert] = this.#waiting;
    this.#isSending = alert !== undefined;
    if (!alert) return;
    const { status, error } = await this.#options.send(alert, this.#end.signal);
    if (this.#end.signal.aborted) return;
    const pauseMs = PAUSES_MS[tries - 1];
    if (error !== undefined && pauseMs !== undefined) {
      this.#pause = this.#options.clock.setTimeout(() => void this.#next(tries + 1), pauseMs);
      return;
    }
    this.#waiting.shift();
    if (error !== undefined) this.#options.onUnsent([alert], { reason: error, ...(status && { status }) });
    this.#tellDropped();
    await this.#next();
  }

  #tellDropped(): void {
    const dropped = this.#dropped.splice(0);
    if (dropped.length > 0)
      this.#options.onUnsent(dropped, { reason: `More than ${MAX_WAITING} alerts waited to be sent.` });
  }
}
