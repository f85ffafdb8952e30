import { spawn } from 'node:child_process';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, Disposable } from '../clock.ts';
import { withoutInheritance } from '../platform/inherited-descriptors.ts';

/** How the panel ends: `quit` leaves the doorkeeper to tell clients so, `end` leaves nothing. Without a word it has died. */
export type LastWord = 'quit' | 'end';

/** The process that waits for the end of the panel. */
export interface WaitingProcess {
  /** Says the last word, which counts once the panel is gone. */
  say(word: LastWord): void;
  /** Hands the port over: the process acts on its last word. */
  letGo(): void;
  /** Settles when the process has ended, with the reason. Never rejects. */
  readonly ended: Promise<string>;
}

export interface StandByOptions {
  readonly clock: Clock;
  /** Starts the process. @throws Error with the reason for users why there is none */
  readonly start: () => Promise<WaitingProcess>;
  /** Whether there is a port to hold and a client to hold it for. */
  readonly isWanted: () => boolean;
  /** Receives one sentence for the user. */
  readonly notice: (line: string) => void;
}

export interface StandByStatus {
  readonly isReady: boolean;
  /** Why it is not ready; undefined where it is not wanted. */
  readonly reason?: string;
}

const RESTART_MS = 1000;
const MAX_STARTS = 3;
const WITHIN_MS = 10 * 60_000;

/** Keeps one process standing by that takes the port over when the panel is gone, for whatever reason. */
export class StandBy {
  readonly #options: StandByOptions;
  #process: WaitingProcess | undefined;
  #starting: Promise<void> | undefined;
  #startedAtMs: readonly number[] = [];
  #timer: Disposable | undefined;
  #reason: string | undefined;
  #lastWord: LastWord | undefined;

  constructor(options: StandByOptions) {
    this.#options = options;
  }

  get status(): StandByStatus {
    return {
      isReady: this.#process !== undefined,
      ...(this.#reason !== undefined && { reason: this.#reason }),
    };
  }

  /** Starts or ends the process, after a change of the settings or clients. Resolves when that is done. Never rejects. */
  async adapt(): Promise<void> {
    const isWanted = this.#lastWord === undefined && this.#options.isWanted();
    if (isWanted && this.#timer === undefined) await this.#ensure();
    if (!isWanted && this.#lastWord === undefined) this.#end();
  }

  /** The panel begins to quit. */
  quits(word: LastWord): void {
    if (this.#lastWord !== undefined) return;
    this.#lastWord = word;
    this.#timer?.dispose();
    this.#process?.say(word);
  }

  /** The panel listens no longer: the port is the doorkeeper's. Idempotent. */
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
      this.#reason = undefined;
      if (this.#lastWord) started.say(this.#lastWord);
      void started.ended.then((why) => this.#ended(started, why));
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  #ended(process: WaitingProcess, why: string): void {
    if (this.#process !== process) return;
    this.#process = undefined;
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
    this.#reason = undefined;
    ending?.say('end');
    ending?.letGo();
  }
}

export interface SpawnKeeperOptions {
  /** Program of Node. */
  readonly node: string;
  /** File of the bridge, absolute. */
  readonly script: string;
  readonly home: string;
  /** Command that starts the panel without a window; empty where clients may not start it. */
  readonly panelCommand: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * Starts the process. It has a session of its own, so that neither Ctrl-C in the terminal nor a signal to the panel's group ends
 * it, and learns of the panel's end by the end of its stdin.
 */
export function spawnKeeper(options: SpawnKeeperOptions): WaitingProcess {
  const { node, script, home, panelCommand, env, platform } = options;
  const child = withoutInheritance(platform, ([, , , ...closed]) =>
    spawn(node, [script, 'keep', home, ...panelCommand], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...closed],
      cwd: home,
      env: { ...env },
      windowsHide: true,
    }),
  );
  const { stdin } = child;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${node} ended with ${signal ?? `exit code ${code}`}`));
    child.once('error', (error) => resolve(error.message));
  });
  // A broken pipe is reported by the end of the process.
  stdin?.on('error', () => undefined);
  child.unref();
  (stdin as { unref?: () => void } | null)?.unref?.();
  return {
    say: (word) => void stdin?.write(`${word}\n`),
    letGo: () => void stdin?.end(),
    ended,
  };
}
