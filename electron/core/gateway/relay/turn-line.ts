import { Emitter } from '../../emitter.ts';

/** Calls of tools at one place whose server answers them in turn, by the session that made them. */
export class TurnLine {
  /** Calls by the nonce of their session. */
  readonly #calls = new Map<string, number>();
  readonly #left = new Emitter<void>();

  /** Whether a call of the session would wait for one of another session. */
  isBusyFor(nonce: string): boolean {
    return this.#calls.size > (this.#calls.has(nonce) ? 1 : 0);
  }

  /** Called before a call is written, in the turn of `isBusyFor`. The function that is returned is called at its end, once. */
  enter(nonce: string): () => void {
    this.#calls.set(nonce, (this.#calls.get(nonce) ?? 0) + 1);
    return () => {
      const left = (this.#calls.get(nonce) ?? 1) - 1;
      if (left > 0) this.#calls.set(nonce, left);
      else this.#calls.delete(nonce);
      this.#left.emit();
    };
  }

  /** Hears of each call that ends. Returns the undo. */
  onLeft(listener: () => void): () => void {
    return this.#left.subscribe(listener);
  }
}
