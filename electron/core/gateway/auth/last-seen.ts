import type { Clock, Disposable } from '../../clock.ts';
import type { ClientsFile } from './clients-file.ts';
import { writeSeen } from './clients-form.ts';

/** Shortest interval between two writes of the last-seen times, in ms. */
const WRITE_MS = 60_000;

/** Last-seen times of clients: updated in memory at each request, and written to their file at intervals. */
export class LastSeen {
  readonly #clock: Clock;
  readonly #file: Pick<ClientsFile, 'edit'>;
  /** Last-seen times in epoch milliseconds, by client id. */
  readonly #seenAt = new Map<string, number>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, file: Pick<ClientsFile, 'edit'>) {
    this.#clock = clock;
    this.#file = file;
  }

  /** Last-seen time of the client in epoch milliseconds; undefined if it was not seen since the panel started. */
  at(id: string): number | undefined {
    return this.#seenAt.get(id);
  }

  /** Records the time in memory. Returns true if the client was not seen since the panel started. @param at epoch milliseconds */
  seen(id: string, at: number): boolean {
    const isFirst = !this.#seenAt.has(id);
    this.#seenAt.set(id, at);
    this.#timer ??= this.#clock.setTimeout(() => void this.#write(), WRITE_MS);
    return isFirst;
  }

  /** Drops the time of a removed client. */
  forget(id: string): void {
    this.#seenAt.delete(id);
  }

  /** Writes the times that are not on disk yet. Idempotent; never rejects. */
  async dispose(): Promise<void> {
    if (this.#timer) await this.#write();
  }

  async #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    // A failed write is ignored, because nothing else depends on these times. They are written again within a minute after the
    // next request.
    await this.#file.edit((content) => writeSeen(content, this.#seenAt)).catch(() => undefined);
  }
}
