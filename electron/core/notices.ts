import { Emitter } from './emitter.ts';

const MAX_WAITING = 50;

/** Sentences for people. What is said before anybody listens, while the files of the home are read, waits for the first listener. */
export class Notices {
  readonly #emitter = new Emitter<string>();
  #waiting: string[] | undefined = [];

  emit(line: string): void {
    if (this.#waiting === undefined) this.#emitter.emit(line);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
  }

  /** Returns the undo. */
  subscribe(listener: (line: string) => void): () => void {
    const undo = this.#emitter.subscribe(listener);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const line of waiting) this.#emitter.emit(line);
    return undo;
  }
}
