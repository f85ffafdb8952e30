import { Emitter } from './emitter.ts';

const MAX_WAITING = 50;

/** Sentences for users. Those reported before the first listener, while the home folder is read, are kept for it. */
export class Notices {
  readonly #emitter = new Emitter<string>();
  #waiting: string[] | undefined = [];

  emit(line: string): void {
    if (this.#waiting === undefined) this.#emitter.emit(line);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
  }

  /** Returns the unsubscribe function. */
  subscribe(listener: (line: string) => void): () => void {
    const undo = this.#emitter.subscribe(listener);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const line of waiting) this.#emitter.emit(line);
    return undo;
  }
}
