import type { Clock, Disposable } from '../../clock.ts';
import { writeSeen } from './clients-edit.ts';
import type { ClientsFile } from './clients-file.ts';

/** When clients were last seen is written at most this often. */
const WRITE_MS = 60_000;

/** When clients were last seen: kept in memory at each request, and written to their file now and then. */
export class LastSeen {
  readonly #clock: Clock;
  readonly #file: Pick<ClientsFile, 'edit'>;
  /** Milliseconds since 1970, by the id of the client. */
  readonly #seenAt = new Map<string, number>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, file: Pick<ClientsFile, 'edit'>) {
    this.#clock = clock;
    this.#file = file;
  }

  /** Undefined for a client that was not seen since the start. */
  at(id: string): number | undefined {
    return this.#seenAt.get(id);
  }

  /** Costs next to nothing. @param at milliseconds since 1970 */
  seen(id: string, at: number): void {
    this.#seenAt.set(id, at);
    this.#timer ??= this.#clock.setTimeout(() => void this.#write(), WRITE_MS);
  }

  /** The client is gone. */
  forget(id: string): void {
    this.#seenAt.delete(id);
  }

  /** Writes what was not written yet. Idempotent; never rejects. */
  async dispose(): Promise<void> {
    if (this.#timer) await this.#write();
  }

  async #write(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    // What cannot be written is written a minute after the next request, and nothing depends on it.
    await this.#file.edit((content) => writeSeen(content, this.#seenAt)).catch(() => undefined);
  }
}
