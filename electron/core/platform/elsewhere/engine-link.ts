import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { Emitter } from '../../emitter.ts';
import { delay, settlesWithin, unlessAborted } from '../../wait.ts';
import type { EngineApi } from '../containers/engine-api.ts';

export interface EngineLinkOptions {
  /** Name of the engine for people. */
  readonly name: string;
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Path that any engine which is there answers with status 200. */
  readonly pingPath: string;
  /** Opens the stream of events; each of its lines goes to `onLine`. */
  readonly openEvents: () => Promise<IncomingMessage>;
  /** Says which container has ended by a line of the events; undefined for none. */
  readonly onLine: (line: string) => string | undefined;
  /** Called when the engine was lost, with the reason, and when it is reached again, with the milliseconds in between. */
  readonly onLost: (reason: string) => void;
  readonly onBack: (lostMs: number) => void;
}

/** Milliseconds between two looks whether the engine is there, because a dead connection says nothing. */
const LOOK_MS = 10_000;
const LOOK_LIMIT_MS = 5000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Milliseconds for which connections are kept without a run: a restart needs them again at once. */
const LINGER_MS = 30_000;

/**
 * Connection to one engine for all runs on it: one stream of events, and looks in between. An engine that does not answer is
 * lost, once for all its runs, until it answers again.
 */
export class EngineLink {
  readonly name: string;
  readonly api: EngineApi;
  /** Emits when the engine was lost; all its connections have been cut. */
  readonly lost = new Emitter<void>();
  /** Emits the id of a container that has ended. */
  readonly died = new Emitter<string>();
  readonly #options: EngineLinkOptions;
  #users = 0;
  #linger: Disposable | undefined;
  #watching: AbortController | undefined;
  #lostAtMs: number | undefined;
  #isReached = false;
  #version: string | undefined;
  #reached = createDeferred<void>();

  constructor(options: EngineLinkOptions) {
    this.#options = options;
    this.name = options.name;
    this.api = options.api;
  }

  /** Version of the engine, once it has told it. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Keeps the link for a run. */
  use(): Disposable {
    this.#users += 1;
    this.#linger?.dispose();
    if (this.#watching === undefined) {
      this.#watching = new AbortController();
      void this.#watch(this.#watching.signal);
    }
    let isUsed = true;
    return {
      dispose: () => {
        if (!isUsed) return;
        isUsed = false;
        this.#users -= 1;
        if (this.#users === 0) this.#linger = this.#options.clock.setTimeout(() => this.close(), LINGER_MS);
      },
    };
  }

  /** Settles when the engine answers, or `signal` aborts. Never rejects. */
  async reached(signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#reached.promise, signal);
  }

  /** Ends all connections. The link can be used again. */
  close(): void {
    this.#linger?.dispose();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#isReached = false;
    this.#reached = createDeferred();
    this.#lostAtMs = undefined;
    this.api.cut();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const problem = await this.#problem();
      if (signal.aborted) return;
      if (problem === undefined) {
        failures = 0;
        this.#arrive();
        await this.#follow(signal).catch(() => undefined);
        await delay(this.#options.clock, FIRST_RETRY_MS, signal);
      } else {
        this.#lose(problem);
        await delay(this.#options.clock, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures), signal);
        failures += 1;
      }
    }
  }

  /** Follows the events until they end or the engine does not answer any more. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { onLine, openEvents } = this.#options;
    const events = await openEvents();
    const ended = new Promise<void>((resolve) => void events.once('close', resolve));
    const leave = () => void events.destroy();
    signal.addEventListener('abort', leave, { once: true });
    events.on('error', () => undefined);
    createInterface(events)
      .on('line', (line) => {
        const id = onLine(line);
        if (id !== undefined) this.died.emit(id);
      })
      .on('error', () => undefined);
    try {
      while (!(await settlesWithin(this.#options.clock, ended, LOOK_MS)))
        if (signal.aborted || (await this.#problem()) !== undefined) return;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  /** Why the engine does not answer; undefined if it does. */
  async #problem(): Promise<string | undefined> {
    try {
      const { pingPath } = this.#options;
      const { status, words, version } = await this.api.ask('GET', pingPath, { limitMs: LOOK_LIMIT_MS });
      this.#version = version ?? this.#version;
      return status === 200 ? undefined : words;
    } catch (error) {
      return messageOf(error);
    }
  }

  #arrive(): void {
    this.#isReached = true;
    this.#reached.resolve();
    if (this.#lostAtMs !== undefined) this.#options.onBack(this.#options.clock.now() - this.#lostAtMs);
    this.#lostAtMs = undefined;
  }

  #lose(reason: string): void {
    // Who finds no engine at a start is told by that start.
    if (!this.#isReached) return;
    this.#isReached = false;
    this.#reached = createDeferred();
    this.#lostAtMs = this.#options.clock.now();
    this.api.cut();
    this.lost.emit();
    this.#options.onLost(reason);
  }
}
