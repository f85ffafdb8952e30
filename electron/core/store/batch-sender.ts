import { createDeferred, type Deferred } from '../deferred.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { PendingBatch, Loss } from './pending-batch.ts';
import type { Batch, ToWorker } from './store-messages.ts';

/**
 * Interval in ms at which recorded data is sent to the worker that writes it. It is half the interval between two samples, so
 * that only the last sample is lost if the panel is killed.
 */
const BATCH_MS = 500;
/**
 * Interval in ms at which an empty batch is sent if there is nothing to write. It tells the store that the panel is still
 * running, because the store also records the panel's running time.
 */
const SIGN_OF_LIFE_MS = 60_000;
const RETRY_MS = 5000;

interface BatchSenderOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Sends a message to the worker. @throws when the message cannot be cloned; then nothing is sent */
  readonly post: (message: ToWorker, transfer?: readonly ArrayBuffer[]) => void;
  readonly onLoss: (loss: Loss) => void;
}

/**
 * Sends recorded data to the worker in batches, at most one every half second and one at a time. The next batch waits until the
 * current one is written to the file, so that a blocked disk uses a bounded amount of memory.
 */
export class BatchSender {
  readonly #pending: PendingBatch;
  readonly #options: BatchSenderOptions;
  #state: 'closed' | 'ready' | 'sent' | 'retrying' = 'closed';
  #timer: { readonly delayMs: number; readonly handle: Disposable } | undefined;
  #lastBatchMs: number;
  #reply: Deferred<void> | undefined;

  constructor(pending: PendingBatch, options: BatchSenderOptions) {
    this.#pending = pending;
    this.#options = options;
    this.#lastBatchMs = options.clock.now();
    // Recorded data is sent within half a second, unless another batch is in transit.
    pending.added.subscribe(() => {
      if (this.#state === 'ready') this.#arm(BATCH_MS);
    });
  }

  /** Starts sending, because the file has been opened. */
  opened(): void {
    this.#state = 'ready';
    this.#settle();
    this.#arm(this.#pending.isEmpty ? SIGN_OF_LIFE_MS : 0);
  }

  /** Stops sending: the file was closed. A batch in transit is lost, except events, which the next start reads in the journal. */
  closed(): void {
    this.#state = 'closed';
    this.#disarm();
    this.#settle();
  }

  /** Handles the worker's answer to the current batch. If the batch is not in the file, it is retried. */
  written(isInFile: boolean): void {
    if (this.#state === 'closed') return;
    this.#state = isInFile ? 'ready' : 'retrying';
    this.#settle();
    if (!isInFile) return this.#arm(RETRY_MS);
    const loss = this.#pending.takeLoss();
    if (loss !== undefined) this.#options.onLoss(loss);
    this.#arm(this.#pending.isEmpty ? SIGN_OF_LIFE_MS : BATCH_MS);
  }

  /** Sends the pending batch immediately, unless one is in transit. */
  sendNow(): void {
    if (this.#state === 'ready' && !this.#pending.isEmpty) this.#send();
  }

  /** Resolves when everything added so far is in the file, or when it turns out that it cannot be written now. */
  async flush(): Promise<void> {
    this.sendNow();
    while (this.#state === 'sent') {
      await this.#nextReply();
      this.sendNow();
    }
  }

  /** Resolves at the next change of the sender: a batch was written or refused, or the file was opened or closed. */
  #nextReply(): Promise<void> {
    this.#reply ??= createDeferred();
    return this.#reply.promise;
  }

  #send(): void {
    const { clock, wallClock } = this.#options;
    const now = clock.now();
    const batch = this.#pending.take(wallClock.epochMs(), now - this.#lastBatchMs);
    this.#lastBatchMs = now;
    this.#state = 'sent';
    this.#disarm();
    try {
      this.#post(batch);
    } catch {
      // Sends the batch without its events, because one of them contains a value that cannot be cloned. The text of the events
      // is in the journal.
      this.#post({ ...batch, events: [], hasLostEvents: true });
    }
  }

  #post(batch: Batch): void {
    this.#options.post(
      { kind: 'write', batch },
      batch.looks.map(({ values }) => values.buffer as ArrayBuffer),
    );
  }

  #due(): void {
    this.#timer = undefined;
    if (this.#state === 'ready') return this.#send();
    if (this.#state !== 'retrying') return;
    this.#state = 'sent';
    this.#options.post({ kind: 'retry', now: this.#options.wallClock.epochMs() });
  }

  /** Starts the sender's only timer, unless the timer already runs with the same or a shorter delay. */
  #arm(delayMs: number): void {
    if (this.#timer !== undefined && this.#timer.delayMs <= delayMs) return;
    this.#disarm();
    this.#timer = { delayMs, handle: this.#options.clock.setTimeout(() => this.#due(), delayMs) };
  }

  #disarm(): void {
    this.#timer?.handle.dispose();
    this.#timer = undefined;
  }

  #settle(): void {
    this.#reply?.resolve();
    this.#reply = undefined;
  }
}
