import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, Disposable } from '../clock.ts';

/** `quit`: the user has quit the panel. `end`: everything that serves its clients ends as well. */
export type QuitWay = 'quit' | 'end';

/** The process that waits for the end of the panel. */
export interface WaitingProcess {
  readonly node: string;
  /** Reports how the panel ends, which takes effect once it has ended. Without a report, the panel counts as dead. */
  say(word: QuitWay): void;
  /** Hands the port over: the process acts on the last report. */
  letGo(): void;
  /** Resolves when the process waits for the end of the panel. */
  readonly waits: Promise<void>;
  /** Settles when the process has ended, with the reason. Never rejects. */
  readonly ended: Promise<string>;
}

interface StandByOptions {
  readonly clock: Clock;
  /** Starts the process. @throws Error with the reason, for users, why it cannot be started */
  readonly start: () => Promise<WaitingProcess>;
  /** True if there is a port to keep and a client to keep it for. */
  readonly isWanted: () => boolean;
  readonly notice: (line: string) => void;
}

export interface StandByStatus {
  readonly isReady: boolean;
  /** Reason why it is not ready; undefined if it is not wanted. */
  readonly reason?: string;
}

const RESTART_MS = 1000;
const MAX_STARTS = 3;
const WITHIN_MS = 10 * 60_000;

/** Keeps one process ready that takes the port over when the panel has ended for any reason. */
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

  /** Node executable that runs the process; undefined before its first start. */
  get node(): string | undefined {
    return this.#node;
  }

  /** Starts or ends the process after a change of the settings or clients. Resolves when that is done. Never rejects. */
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

  /** Hands the port over to the doorkeeper, because the panel no longer listens. Idempotent. */
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
