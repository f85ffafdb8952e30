import type { LoggedMessageId } from './traffic-message.ts';

/** Requests of which no answer has come are remembered up to this number; the oldest are forgotten first. */
const MAX_OPEN = 1000;

/** The requests of one side that the other has not answered, by their ids. */
export class OpenRequests<R> {
  readonly #open = new Map<LoggedMessageId, R>();

  add(id: LoggedMessageId, request: R): void {
    this.#open.delete(id);
    this.#open.set(id, request);
    if (this.#open.size <= MAX_OPEN) return;
    for (const oldest of this.#open.keys()) return void this.#open.delete(oldest);
  }

  /** Some servers give numbers back as text. */
  find(id: LoggedMessageId): R | undefined {
    return this.#open.get(id) ?? this.#open.get(Number(id));
  }

  /** The request is answered. */
  take(id: LoggedMessageId): R | undefined {
    const found = this.find(id);
    if (found !== undefined && !this.#open.delete(id)) this.#open.delete(Number(id));
    return found;
  }

  /** Nothing of them is answered any more. */
  clear(): void {
    this.#open.clear();
  }
}
