import type { WorkerLike } from '../worker-like.ts';

type Listener = (value?: unknown) => void;
type EventName = 'message' | 'error' | 'exit';

/**
 * Placeholder for a worker that starts only when `after` resolves, because on a small machine its start would delay the app
 * window. Messages posted before that wait.
 */
export class LateWorker implements WorkerLike {
  readonly #listeners: (readonly [EventName, Listener])[] = [];
  readonly #waiting: (readonly [message: unknown, transfer?: readonly ArrayBuffer[]])[] = [];
  #worker: WorkerLike | undefined;
  #isEnded = false;

  constructor(after: Promise<void>, start: () => WorkerLike) {
    void after.then(() => {
      if (!this.#isEnded) this.#begin(start);
    });
  }

  postMessage(...message: readonly [message: unknown, transfer?: readonly ArrayBuffer[]]): void {
    if (this.#worker) this.#worker.postMessage(...message);
    else this.#waiting.push(message);
  }

  on(event: EventName, listener: Listener): void {
    this.#listeners.push([event, listener]);
  }

  async terminate(): Promise<void> {
    this.#isEnded = true;
    await this.#worker?.terminate();
  }

  #begin(start: () => WorkerLike): void {
    try {
      const worker = start();
      worker.on('message', (message) => this.#tell('message', message));
      worker.on('error', (error) => this.#tell('error', error));
      worker.on('exit', () => this.#tell('exit'));
      for (const message of this.#waiting.splice(0)) worker.postMessage(...message);
      this.#worker = worker;
    } catch (error) {
      this.#tell('error', error);
    }
  }

  #tell(event: EventName, value?: unknown): void {
    for (const [name, listener] of this.#listeners) if (name === event) listener(value);
  }
}
