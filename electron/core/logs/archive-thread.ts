import type { LogContent } from '../../../shared/log-lines.ts';
import type { Clock, Disposable } from '../clock.ts';
import { createDeferred } from '../deferred.ts';
import type { WorkerLike } from '../worker-like.ts';
import type {
  ArchiveQuery,
  ArchiveReply,
  ArchiveRequest,
  ArchiveSlice,
  ArchiveStart,
  ContentQuery,
} from './log-archive.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Starts a worker thread that runs `logs-worker.ts`. The thread does not keep the process alive. */
export type StartArchiveWorker = (start: ArchiveStart) => WorkerLike;

interface ArchiveThreadOptions extends ArchiveStart {
  readonly clock: Clock;
  readonly startWorker: StartArchiveWorker;
  /** Returns the secrets to redact. A new array means that they have changed, and is sent to the thread. */
  readonly secrets: () => readonly string[];
}

/**
 * Milliseconds without a request after which the thread ends, because logs are read rarely and a thread takes a few megabytes.
 */
const IDLE_MS = 60_000;

interface Thread {
  readonly worker: WorkerLike;
  readonly pending: Map<number, (reply: ArchiveReply) => void>;
  secrets: readonly string[] | undefined;
}

/**
 * Reads the stored logs in a worker thread. The first request starts the thread, which is ended after a minute without
 * requests. The owner must dispose of it.
 */
export class ArchiveThread {
  readonly #options: ArchiveThreadOptions;
  #thread: Thread | undefined;
  #idle: Disposable | undefined;
  #nextId = 0;
  #isDisposed = false;

  constructor(options: ArchiveThreadOptions) {
    this.#options = options;
  }

  /**
   * Reads a slice of the logs: lines before or after a position. @throws Error if the thread could not answer, or was disposed
   */
  async slice(query: ArchiveQuery): Promise<ArchiveSlice> {
    return (await this.#ask({ ask: 'slice', query })) as ArchiveSlice;
  }

  /** Reads the content of a protocol message in the logs. @throws Error if the thread could not answer, or was disposed */
  async content(query: ContentQuery): Promise<LogContent> {
    return (await this.#ask({ ask: 'content', query })) as LogContent;
  }

  /** Ends the thread; open requests reject. Idempotent. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#end('The panel is ending.');
  }

  async #ask(question: { ask: 'slice'; query: ArchiveQuery } | { ask: 'content'; query: ContentQuery }) {
    if (this.#isDisposed) throw new Error('The logs are closed.');
    const thread = (this.#thread ??= this.#start());
    this.#idle?.dispose();
    const id = (this.#nextId += 1);
    const answered = createDeferred<ArchiveReply>();
    thread.pending.set(id, (reply) => answered.resolve(reply));
    const secrets = this.#options.secrets();
    const request: ArchiveRequest = { id, ...question, ...(secrets !== thread.secrets && { secrets }) };
    thread.secrets = secrets;
    thread.worker.postMessage(request);
    const { answer, failure } = await answered.promise;
    if (failure !== undefined || answer === undefined) throw new Error(failure);
    return answer;
  }

  #start(): Thread {
    const { folder, startWorker } = this.#options;
    const worker = startWorker({ folder });
    const thread: Thread = { worker, pending: new Map(), secrets: undefined };
    worker.on('message', (reply) => this.#answered(thread, reply as ArchiveReply));
    worker.on('error', (error) => this.#over(thread, messageOf(error)));
    worker.on('exit', () => this.#over(thread, 'The thread that reads logs has ended.'));
    return thread;
  }

  #answered({ pending }: Thread, reply: ArchiveReply): void {
    pending.get(reply.id)?.(reply);
    pending.delete(reply.id);
    if (pending.size > 0 || this.#isDisposed) return;
    this.#idle = this.#options.clock.setTimeout(() => void this.#end('No longer needed.'), IDLE_MS);
  }

  async #end(failure: string): Promise<void> {
    this.#idle?.dispose();
    const thread = this.#thread;
    if (!thread) return;
    this.#over(thread, failure);
    await thread.worker.terminate();
  }

  /** Rejects the open requests of an ended thread; the next request starts another thread. */
  #over(thread: Thread, failure: string): void {
    if (this.#thread === thread) this.#thread = undefined;
    for (const [id, answer] of thread.pending) answer({ id, failure });
    thread.pending.clear();
  }
}
