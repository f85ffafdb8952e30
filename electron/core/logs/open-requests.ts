import type { LoggedMessageId } from './traffic-message.ts';

/** Limit of remembered requests without an answer; the oldest are forgotten first. */
const MAX_OPEN = 1000;

/** Unanswered requests of one side, by their ids. */
export class OpenRequests<R> {
  readonly #open = new Map<LoggedMessageId, R>();

  add(id: LoggedMessageId, request: R): void {
    this.#open.delete(id);
    this.#open.set(id, request);
    if (this.#open.size <= MAX_OPEN) return;
    for (const oldest of this.#open.keys()) return void this.#open.delete(oldest);
  }

  /** Finds a request; some servers return numeric ids as text. */
  find(id: LoggedMessageId): R | undefined {
    return this.#open.get(id) ?? this.#open.get(Number(id));
  }

  /** Removes and returns an answered request. */
  take(id: LoggedMessageId): R | undefined {
    const found = this.find(id);
    if (found !== undefined && !this.#open.delete(id)) this.#open.delete(Number(id));
    return found;
  }

  /** Drops all requests, because no answers can follow. */
  clear(): void {
    this.#open.clear();
  }
}
