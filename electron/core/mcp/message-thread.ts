import { messageOf } from '../../../shared/message-of.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../clock.ts';
import { nextTurn } from '../next-turn.ts';
import type { WorkerLike } from '../worker-like.ts';
import { joined, lengthOf, partsBetween } from './bytes.ts';
import type {
  Answer,
  ParserAnswers,
  FromThread,
  LongReader,
  ParserRequest,
  ToThread,
} from './worker/questions.ts';

interface MessageThreadOptions {
  readonly clock: Clock;
  /** Starts the worker thread that runs `worker/message-worker.ts`. The thread does not keep the process alive. */
  readonly startWorker: () => WorkerLike;
}

/** Milliseconds without work after which the thread ends, because long messages are rare and a thread takes a few megabytes. */
const IDLE_MS = 60_000;
/** Bytes copied to the thread per event-loop tick. */
const PIECE_BYTES = 1024 * 1024;

/** Maximum bytes of one server's messages that may wait for the thread: enough for several of the longest messages. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface Job {
  readonly parts: readonly Buffer[];
  readonly question: ParserRequest;
  readonly signal: AbortSignal | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Parses long messages in a worker thread, one after the other. If a message is too much for the thread, the thread dies and
 * only that message fails; the next request starts another thread. The creator of this object must dispose of it.
 */
export class MessageThread implements LongReader {
  readonly #options: MessageThreadOptions;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #worker: WorkerLike | undefined;
  #idle: Disposable | undefined;
  #isDisposed = false;

  constructor(options: MessageThreadOptions) {
    this.#options = options;
  }

  ask<K extends keyof ParserAnswers>(
    parts: readonly Buffer[],
    question: Extract<ParserRequest, { ask: K }>,
    signal?: AbortSignal,
  ): Promise<ParserAnswers[K]> {
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ parts, question, signal, resolve, reject });
      void this.#next();
    }) as Promise<ParserAnswers[K]>;
  }

  /** Ends the thread; open requests reject. Idempotent. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const job of this.#waiting.splice(0)) job.reject(unread('the panel is ending'));
    await this.#end('the panel is ending');
  }

  async #next(): Promise<void> {
    if (this.#current) return;
    const job = this.#waiting.shift();
    if (!job) return this.#rest();
    if (this.#isDisposed || job.signal?.aborted === true) {
      job.reject(job.signal?.reason ?? unread('the panel is ending'));
      return this.#next();
    }
    this.#current = job;
    this.#idle?.dispose();
    const worker = (this.#worker ??= this.#start());
    const bytes = lengthOf(job.parts);
    for (let at = 0; at < bytes; at += PIECE_BYTES) {
      if (at > 0) await nextTurn();
      if (this.#worker !== worker) return;
      const piece = joined(partsBetween(job.parts, at, at + PIECE_BYTES));
      post(worker, { piece }, [piece.buffer]);
    }
    post(worker, { question: job.question });
  }

  #start(): WorkerLike {
    const worker = this.#options.startWorker();
    worker.on('message', (told) => this.#answered(worker, told as FromThread));
    worker.on('error', (error) => this.#over(worker, messageOf(error)));
    worker.on('exit', () => this.#over(worker, 'the thread that parses it has ended'));
    return worker;
  }

  #answered(worker: WorkerLike, told: FromThread): void {
    if (this.#worker !== worker) return;
    const job = this.#current;
    this.#current = undefined;
    if ('answer' in told) job?.resolve(told.answer);
    else job?.reject(unread(told.failure));
    void this.#next();
  }

  #rest(): void {
    if (!this.#worker || this.#isDisposed) return;
    this.#idle = this.#options.clock.setTimeout(() => void this.#end('no longer needed'), IDLE_MS);
  }

  async #end(failure: string): Promise<void> {
    this.#idle?.dispose();
    const worker = this.#worker;
    if (!worker) return;
    this.#over(worker, failure);
    await worker.terminate();
  }

  #over(worker: WorkerLike, failure: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const job = this.#current;
    this.#current = undefined;
    job?.reject(unread(failure));
    if (!this.#isDisposed) void this.#next();
  }
}

/**
 * Access of one server to the shared parser thread. Each server's waiting bytes are limited, because a server may send more
 * than the thread can parse in the same time.
 */
export class ReaderShare implements LongReader {
  readonly #reader: LongReader;
  #waitingBytes = 0;

  constructor(reader: LongReader) {
    this.#reader = reader;
  }

  async ask<K extends keyof ParserAnswers>(
    parts: readonly Buffer[],
    question: Extract<ParserRequest, { ask: K }>,
    signal?: AbortSignal,
  ): Promise<ParserAnswers[K]> {
    const bytes = lengthOf(parts);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) throw unread('too many long ones wait to be read');
    this.#waitingBytes += bytes;
    try {
      return await this.#reader.ask<K>(parts, question, signal);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }
}

function post(worker: WorkerLike, message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}

function unread(why: string): PanelError {
  return new PanelError('PROTOCOL_ERROR', `The message cannot be read: ${why}.`);
}
