import type { Cancellable } from '../../wait.ts';

/** Cancellation of one call. It makes an `AbortSignal` only for what waits with one, which most calls do not. */
export class CallAbort implements Cancellable {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }
  get reason(): Error | undefined {
    return this.#reason;
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** The first reason counts. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** @throws the reason */
  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Sets the only listener: the call is sent once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }
}
