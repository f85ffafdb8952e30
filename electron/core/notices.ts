import { Emitter } from './emitter.ts';

const MAX_WAITING = 50;

/**
 * Messages for users, as sentences. Messages that are reported before the first listener subscribes, while the data folder is
 * read, are kept for that listener.
 */
export class Notices {
  readonly #emitter = new Emitter<string>();
  #waiting: string[] | undefined = [];

  emit(line: string): void {
    if (this.#waiting === undefined) this.#emitter.emit(line);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
  }

  /** Calls the listener for each message. Returns the unsubscribe function. */
  subscribe(listener: (line: string) => void): () => void {
    const undo = this.#emitter.subscribe(listener);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const line of waiting) this.#emitter.emit(line);
    return undo;
  }
}
