import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, Disposable } from '../clock.ts';

/**
 * How the panel ends. `quit`: the user has quit the panel; the doorkeeper takes the port over but does not start the panel.
 * `end`: the doorkeeper ends together with the panel.
 */
export type QuitWay = 'quit' | 'end';

/** The doorkeeper process while the panel still runs: it waits for the end of the panel. */
export interface WaitingProcess {
  readonly node: string;
  /**
   * Tells the process how the panel is about to end. The process acts on this only when the panel has ended. If it was told
   * nothing, it treats the panel as dead.
   */
  say(word: QuitWay): void;
  /** Closes the stdin of the process, which takes that as the end of the panel and acts on the last `say`. */
  letGo(): void;
  /** Resolves once the process is ready and waiting for the end of the panel. */
  readonly waits: Promise<void>;
  /** Settles when the process has ended, with the reason. Never rejects. */
  readonly ended: Promise<string>;
}

interface StandByOptions {
  readonly clock: Clock;
  /** Starts the doorkeeper process. @throws Error with a reason, for users, why the process cannot be started */
  readonly start: () => Promise<WaitingProcess>;
  /** True if the panel has a port, and at least one client that needs the port while the panel is away. */
  readonly isWanted: () => boolean;
  readonly notice: (line: string) => void;
}

export interface StandByStatus {
  readonly isReady: boolean;
  /** Reason why the doorkeeper is not ready; undefined if none is needed. */
  readonly reason?: string;
}

const RESTART_MS = 1000;
const MAX_STARTS = 3;
const WITHIN_MS = 10 * 60_000;

/** Keeps one doorkeeper process ready, which takes the port over when the panel has ended for any reason. */
export class StandBy {
  readonly #options: StandByOptions;
  #process: WaitingProcess | undefined;
  #isReady = false;
  #starting: Promise<void> | undefined;
  #startedAtMs: readonly number[] = [];
  #timer: Disposable | undefined;
  #reason: string | undefined;
  #node: string | undefined;
  #lastWord: QuitWay | undefined;

  constructor(options: StandByOptions) {
    this.#options = options;
  }

  get status(): StandByStatus {
    return {
      isReady: this.#isReady,
      ...(this.#reason !== undefined && { reason: this.#reason }),
    };
  }

  /** Path of the Node executable that runs the doorkeeper; undefined before its first start. */
  get node(): string | undefined {
    return this.#node;
  }

  /** Starts or ends the doorkeeper as needed. Call it when settings or clients changed. Resolves when done. Never rejects. */
  async adapt(): Promise<void> {
    const isWanted = this.#lastWord === undefined && this.#options.isWanted();
    if (isWanted && this.#timer === undefined) await this.#ensure();
    if (!isWanted && this.#lastWord === undefined) this.#end();
  }

  quits(word: QuitWay): void {
    if (this.#lastWord !== undefined) return;
    this.#lastWord = word;
    this.#timer?.dispose();
    this.#process?.say(word);
  }

  /**
   * Call it when the panel no longer listens: the doorkeeper takes the port over, or ends if `quits` was not called before with
   * `quit`. Idempotent.
   */
  async letGo(): Promise<void> {
    this.quits('end');
    await this.#starting;
    this.#process?.letGo();
  }

  #ensure(): Promise<void> {
    if (this.#process) return Promise.resolve();
    return (this.#starting ??= this.#start().finally(() => (this.#starting = undefined)));
  }

  async #start(): Promise<void> {
    const { clock, start } = this.#options;
    const nowMs = clock.now();
    this.#startedAtMs = [...this.#startedAtMs.filter((at) => nowMs - at < WITHIN_MS), nowMs];
    try {
      const started = await start();
      this.#process = started;
      this.#node = started.node;
      this.#reason = undefined;
      if (this.#lastWord) started.say(this.#lastWord);
      void started.waits.then(() => (this.#isReady = this.#process === started));
      void started.ended.then((why) => this.#ended(started, why));
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  #ended(process: WaitingProcess, why: string): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    this.#isReady = false;
    if (this.#lastWord !== undefined) return;
    if (this.#startedAtMs.length >= MAX_STARTS) return this.#fail(`it ended ${MAX_STARTS} times: ${why}`);
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.adapt();
    }, RESTART_MS);
  }

  #fail(reason: string): void {
    if (reason !== this.#reason)
      this.#options.notice(`nothing keeps the port for clients while the panel is away: ${reason}`);
    this.#reason = reason;
  }

  #end(): void {
    const ending = this.#process;
    this.#process = undefined;
    this.#isReady = false;
    this.#reason = undefined;
    ending?.say('end');
    ending?.letGo();
  }
}
