import { createDeferred, type Deferred } from '../deferred.ts';
import type { FromWorker, StoreRequest, ToWorker } from './store-messages.ts';
import type { WorkerLike } from '../worker-like.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Message of the worker that does not answer a query. */
export type Report = Exclude<FromWorker, { kind: 'answered' | 'refused' }>;

interface WorkerLinkOptions {
  readonly worker: () => WorkerLike;
  readonly onMessage: (message: Report) => void;
  /** Called when the worker has ended unexpectedly. Messages in transit are lost. */
  readonly onEnd: (reason: string) => void;
}

/** One worker with its unanswered queries. */
export class WorkerLink {
  readonly #options: WorkerLinkOptions;
  readonly #worker: WorkerLike;
  readonly #waiting = new Map<number, Deferred<unknown>>();
  #lastId = 0;
  #isOver = false;

  /** @throws when the worker cannot be started */
  constructor(options: WorkerLinkOptions) {
    this.#options = options;
    this.#worker = options.worker();
    this.#worker.on('message', (message) => this.#receive(message as FromWorker));
    this.#worker.on('error', (error) => this.#end(messageOf(error)));
    this.#worker.on('exit', () => this.#end('it has ended'));
  }

  /** Sends a message. @throws when the message cannot be cloned; then nothing is sent */
  post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Returns the worker's answer; undefined if the worker could not answer, or has ended. */
  ask(question: StoreRequest, now: number): Promise<unknown> {
    if (this.#isOver) return Promise.resolve(undefined);
    this.#lastId += 1;
    const waiting = createDeferred<unknown>();
    this.#waiting.set(this.#lastId, waiting);
    this.post({ kind: 'ask', id: this.#lastId, now, question });
    return waiting.promise;
  }

  /** Ends the worker in any state. */
  async terminate(): Promise<void> {
    this.#isOver = true;
    this.#answerNobody();
    await this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    if (this.#isOver) return;
    if (message.kind !== 'answered' && message.kind !== 'refused') return this.#options.onMessage(message);
    this.#waiting.get(message.id)?.resolve(message.kind === 'answered' ? message.answer : undefined);
    this.#waiting.delete(message.id);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answerNobody();
    this.#options.onEnd(reason);
  }

  #answerNobody(): void {
    for (const waiting of this.#waiting.values()) waiting.resolve(undefined);
    this.#waiting.clear();
  }
}
