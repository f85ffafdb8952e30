import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../../clock.ts';

export interface StartWatchOptions {
  readonly clock: Clock;
  /** Longest time without a sign of progress. */
  readonly startTimeoutMs: number;
  /** Longest time at all. */
  readonly startMaxMs: number;
  readonly onTimeout: (error: PanelError) => void;
}

/**
 * The deadline of a start. It is inactivity that counts: `npx` and `uvx` may download for minutes, and killing an
 * install corrupts its cache, while a server that sits there doing nothing for a minute will not come up.
 */
export class StartWatch {
  readonly #options: StartWatchOptions;
  readonly #startedAtMs: number;
  #timer: Disposable | undefined;

  constructor(options: StartWatchOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
    this.#arm();
  }

  /** A sign of progress: output, a new descendant, CPU time or written bytes. */
  progressed(): void {
    if (this.#timer) this.#arm();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer?.dispose();
    const { clock, startTimeoutMs, startMaxMs } = this.#options;
    const totalLeftMs = this.#startedAtMs + startMaxMs - clock.now();
    const isCapped = totalLeftMs <= startTimeoutMs;
    this.#timer = clock.setTimeout(
      () => this.#expire(isCapped),
      Math.max(0, Math.min(startTimeoutMs, totalLeftMs)),
    );
  }

  #expire(isCapped: boolean): void {
    this.dispose();
    const { startTimeoutMs, startMaxMs } = this.#options;
    const what = isCapped
      ? `The server did not complete its handshake within ${startMaxMs} ms (startMaxMs).`
      : `The server showed no sign of progress for ${startTimeoutMs} ms (startTimeoutMs) while starting.`;
    const remedy = 'Read what it wrote to stderr, or raise the limit in its "panel" settings.';
    this.#options.onTimeout(new PanelError('START_TIMEOUT', what, { remedy }));
  }
}
