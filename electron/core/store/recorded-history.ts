import type { CallSeriesQuery, CallSeriesReply, PastState } from '../../../shared/history.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { createDeferred } from '../deferred.ts';
import { settlesWithin } from '../wait.ts';
import { BatchSender } from './batch-sender.ts';
import type { HistorySource, QueryOf, HistoryQuestion, ReplyTo } from './history-source.ts';
import { withRecentCalls } from './memory-source.ts';
import { PendingBatch } from './pending-batch.ts';
import type { StoreRequest } from './store-messages.ts';
import { WorkerLink, type Report } from './worker-link.ts';
import type { WorkerLike } from '../worker-like.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface HistoryStoreOptions {
  /** Absolute path of the file, `<home>/history.db`. Its `-wal` and `-shm` are next to it. */
  readonly path: string;
  /** Path of the journal, `<home>/logs/events.jsonl`, from which missing events are read. */
  readonly eventsPath: string;
  /**
   * Starts the worker: `store-worker.ts` in this folder on plain Node 24, its bundle in the app. Called a second time after the
   * worker has died. Without a worker, nothing is kept after this app run.
   */
  readonly worker: (() => WorkerLike) | undefined;
  /**
   * The worker starts when this promise resolves. On a small machine, starting the worker immediately would delay the app
   * window. Default: immediately.
   */
  readonly startsAfter?: Promise<void> | undefined;
  /** Source that answers queries while the file is not open. */
  readonly fallback: HistorySource;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Receives one sentence for the user, once per problem. */
  readonly onProblem: (message: string) => void;
  /** Maximum size of the file in bytes, enforced by deleting the oldest data. Default: 512 MiB. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
/** Delay in ms before another attempt to open the file: a read-only folder or locked file may be writable a minute later. */
const REOPEN_MS = 60_000;
/** Milliseconds from the start to the full check of a large file, which uses the disk for a second and would slow the start. */
const INSPECT_AFTER_MS = 30_000;
const DISPOSE_MS = 2000;
const MAX_RESTARTS = 1;

/** What a problem is about. Problems about different things can exist at the same time. */
type ProblemAbout = 'open' | 'write' | 'file' | 'loss' | 'worker';

/**
 * History in a file that a worker thread reads and writes. It can be used before the file is open: recorded data waits, and a
 * query is answered once the file is open. Without a file, `fallback` answers queries from memory, and a limited amount of
 * recorded data waits. The caller disposes of this object.
 */
export class RecordedHistory implements HistorySource {
  readonly #options: HistoryStoreOptions;
  readonly record = new PendingBatch();
  /** Sentences for the user about the current problems. */
  readonly #problems = new Map<ProblemAbout, string>();
  readonly #sender: BatchSender;
  #link: WorkerLink | undefined;
  #inspector: WorkerLink | undefined;
  #isOpen = false;
  #isEnded = false;
  #restarts = 0;
  #timer: Disposable | undefined;
  #disposal: Promise<void> | undefined;
  readonly #opening = createDeferred<void>();
  readonly #closed = createDeferred<void>();

  constructor(options: HistoryStoreOptions) {
    const { clock, wallClock, startsAfter } = options;
    this.#options = options;
    this.#sender = new BatchSender(this.record, {
      clock,
      wallClock,
      post: (message, transfer) => this.#link?.post(message, transfer),
      onLoss: ({ looks, calls }) =>
        this.#tell(
          'loss',
          `The history lacks ${looks} samples of the servers and ${calls} calls, because it could not be written for some time.`,
        ),
    });
    if (startsAfter) void startsAfter.then(() => this.#open());
    else this.#open();
  }

  #open(): void {
    const { worker } = this.#options;
    if (worker === undefined) return this.#opening.resolve();
    if (this.#isEnded) return;
    try {
      this.#link = new WorkerLink({
        worker,
        onMessage: (message) => this.#receive(message),
        onEnd: (reason) => this.#workerEnded(reason),
      });
      this.#askToOpen();
    } catch (error) {
      this.#workerEnded(messageOf(error));
    }
  }

  readonly series = this.#asker('series');
  readonly events = this.#asker('events');
  readonly audit = this.#asker('audit');
  readonly callUsage = this.#asker('callUsage');
  readonly trend = this.#asker('trend');

  async calls(query: CallSeriesQuery): Promise<CallSeriesReply> {
    const reply = await this.#ask('calls', query);
    const recent = await this.#options.fallback.calls(query);
    return reply === undefined ? recent : withRecentCalls(reply, recent);
  }

  async state(): Promise<PastState> {
    const state = (await this.#ask('state', undefined)) ?? (await this.#options.fallback.state());
    return this.#problems.size === 0 ? state : { ...state, problem: [...this.#problems.values()].join(' ') };
  }

  /** Resolves when everything recorded so far is in the file, or when it cannot be written now. */
  async flush(): Promise<void> {
    await this.#opening.promise;
    await this.#sender.flush();
  }

  /** Writes pending data and closes the file, within a time limit. Idempotent. */
  dispose(): Promise<void> {
    return (this.#disposal ??= this.#close());
  }

  async #close(): Promise<void> {
    const { clock } = this.#options;
    const isFlushed = await settlesWithin(clock, this.flush(), DISPOSE_MS);
    this.#timer?.dispose();
    this.#sender.closed();
    await this.#inspector?.terminate();
    const link = this.#link;
    this.#link = undefined;
    this.#isEnded = true;
    this.#opening.resolve();
    if (link === undefined) return;
    if (isFlushed) {
      link.post({ kind: 'close' });
      await settlesWithin(clock, this.#closed.promise, DISPOSE_MS);
    }
    await link.terminate();
  }

  /** Returns a function that answers one kind of query: from the file or, if the file has no answer, from `fallback`. */
  #asker<Q extends HistoryQuestion>(about: Q): (query: QueryOf<Q>) => Promise<ReplyTo<Q>> {
    type Ask = (query: QueryOf<Q>) => Promise<ReplyTo<Q>>;
    return async (query) => (await this.#ask(about, query)) ?? (this.#options.fallback[about] as Ask)(query);
  }

  /**
   * Returns the file's answer to a query; undefined without a file. A query before the file is open waits until it is open and
   * pending data is written. The pending batch is sent before the query, so that the answer includes it.
   */
  async #ask<Q extends HistoryQuestion>(about: Q, query: QueryOf<Q>): Promise<ReplyTo<Q> | undefined> {
    if (!this.#isOpen) await this.#opening.promise;
    this.#sender.sendNow();
    const request = { about, query } as StoreRequest;
    return (await this.#link?.ask(request, this.#options.wallClock.epochMs())) as ReplyTo<Q> | undefined;
  }

  #askToOpen(): void {
    const { path, eventsPath, maxBytes = DEFAULT_MAX_BYTES, wallClock } = this.#options;
    this.#link?.post({ kind: 'open', path, eventsPath, maxBytes, now: wallClock.epochMs() });
  }

  #receive(message: Report): void {
    if (message.kind === 'opened') return this.#opened(message);
    if (message.kind === 'closed') return this.#closed.resolve();
    if (message.kind === 'inspected') return;
    if (message.kind === 'problem') return this.#tell('file', message.problem);
    if (message.problem === undefined) this.#problems.delete('write');
    else this.#tell('write', message.problem);
    this.#sender.written(message.problem === undefined);
  }

  #opened({ isOpen, isLarge, isReadOnly, problem }: Extract<Report, { kind: 'opened' }>): void {
    this.#isOpen = isOpen;
    if (isOpen) this.#problems.delete('open');
    const about = isReadOnly ? 'write' : isOpen ? 'file' : 'open';
    if (problem !== undefined) this.#tell(about, problem);
    if (isOpen) {
      this.#sender.opened();
      if (isLarge) this.#after(INSPECT_AFTER_MS, () => this.#inspect());
    } else this.#after(REOPEN_MS, () => this.#askToOpen());
    this.#opening.resolve();
  }

  /** Checks the whole file in a second worker, so that no query waits for it. */
  #inspect(): void {
    const end = () => {
      void this.#inspector?.terminate();
      this.#inspector = undefined;
    };
    try {
      this.#inspector = new WorkerLink({
        worker: this.#options.worker!,
        onMessage: (message) => {
          if (message.kind === 'inspected' && !message.isSound) this.#link?.post({ kind: 'check' });
          end();
        },
        onEnd: end,
      });
      this.#inspector.post({ kind: 'inspect', path: this.#options.path });
    } catch {
      // Without a second worker, damage is noticed only when the damaged part is read.
    }
  }

  /** Reports a problem to the user once, and again only if it recurs after it was resolved. */
  #tell(about: ProblemAbout, sentence: string): void {
    if (this.#problems.get(about) === sentence) return;
    this.#problems.set(about, sentence);
    this.#options.onProblem(sentence);
  }

  #after(delayMs: number, task: () => void): void {
    this.#timer?.dispose();
    if (this.#disposal === undefined) this.#timer = this.#options.clock.setTimeout(task, delayMs);
  }

  #workerEnded(reason: string): void {
    this.#link = undefined;
    this.#timer?.dispose();
    this.#sender.closed();
    this.#closed.resolve();
    if (this.#disposal !== undefined) return this.#opening.resolve();
    if (this.#restarts >= MAX_RESTARTS) {
      this.#tell('worker', `The history is kept only in memory, because its worker has failed: ${reason}.`);
      return this.#opening.resolve();
    }
    this.#restarts += 1;
    if (this.#isOpen)
      this.#tell('worker', `The worker of the history has failed and is being restarted: ${reason}.`);
    this.#open();
  }
}
