import { EventEmitter } from 'node:events';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import type { Database } from '../../../electron/core/store/file/open-file.ts';
import { StoreHost } from '../../../electron/core/store/file/store-host.ts';
import type { ToWorker } from '../../../electron/core/store/store-messages.ts';
import type { WorkerLike } from '../../../electron/core/worker-like.ts';

/** What the worker does, in this thread: each message is copied and arrives in a later turn, as between threads. */
export class InProcessWorker extends EventEmitter implements WorkerLike {
  /** Messages that came, in their order. */
  readonly received: ToWorker[] = [];
  /** Nothing is done with messages as long as this is true. */
  isHeld = false;
  readonly #host: StoreHost;
  readonly #waiting: ToWorker[] = [];
  #isOver = false;

  constructor(load?: (db: Database, now: number) => HistoryFile) {
    super();
    const post = (message: unknown) => {
      const copy: unknown = structuredClone(message);
      setImmediate(() => void (this.#isOver || this.emit('message', copy)));
    };
    this.#host = load === undefined ? new StoreHost(post) : new StoreHost(post, load);
  }

  postMessage(message: unknown): void {
    const copy = structuredClone(message) as ToWorker;
    this.received.push(copy);
    this.#waiting.push(copy);
    setImmediate(() => this.release());
  }

  /** Does what waits. */
  release(): void {
    while (!this.isHeld && !this.#isOver && this.#waiting.length > 0)
      this.#host.handle(this.#waiting.shift()!);
  }

  /** Ends it as a worker ends that has thrown. */
  die(reason: string): void {
    this.#close();
    this.emit('error', new Error(reason));
    this.emit('exit');
  }

  terminate(): Promise<void> {
    this.#close();
    return Promise.resolve();
  }

  /** The end of a thread closes its files. */
  #close(): void {
    if (!this.#isOver) this.#host.handle({ kind: 'close' });
    this.#isOver = true;
  }
}
