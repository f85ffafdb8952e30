import { PanelError } from '../../../../shared/error-codes.ts';
import { formatSpan } from '../../../../shared/durations.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock, Disposable } from '../../clock.ts';

/** `startTimeoutMs`: longest time without a sign of progress. `startMaxMs`: longest time at all. */
export type StartLimits = Pick<PanelSettings, 'startTimeoutMs' | 'startMaxMs'>;

export interface StartWatchOptions {
  readonly clock: Clock;
  /** Read at each look: a person may change them while the server starts. */
  readonly settings: () => StartLimits;
  readonly onTimeout: (error: PanelError) => void;
}

/** Limits that were lowered meanwhile are heeded within this time. */
const LONGEST_LOOK_MS = 1000;

/**
 * The deadline of a start. It is inactivity that counts: `npx` and `uvx` may download for minutes, and killing an
 * install corrupts its cache, while a server that sits there doing nothing for a minute will not come up.
 */
export class StartWatch {
  readonly #options: StartWatchOptions;
  readonly #startedAtMs: number;
  #progressedAtMs: number;
  #timer: Disposable | undefined;

  constructor(options: StartWatchOptions) {
    this.#options = options;
    this.#startedAtMs = this.#progressedAtMs = options.clock.now();
    this.#look();
  }

  /** A sign of progress: output, a new descendant, CPU time or written bytes. */
  progressed(): void {
    this.#progressedAtMs = this.#options.clock.now();
  }

  /** Until the start has taken as long as it may at all. */
  get leftMs(): number {
    const { clock, settings } = this.#options;
    return this.#startedAtMs + settings().startMaxMs - clock.now();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #look(): void {
    const { clock, settings } = this.#options;
    const silenceLeftMs = this.#progressedAtMs + settings().startTimeoutMs - clock.now();
    const totalLeftMs = this.leftMs;
    const leftMs = Math.min(silenceLeftMs, totalLeftMs);
    if (leftMs <= 0) return this.#expire(totalLeftMs <= silenceLeftMs);
    this.#timer = clock.setTimeout(() => this.#look(), Math.min(leftMs, LONGEST_LOOK_MS));
  }

  #expire(isCapped: boolean): void {
    const { settings, onTimeout } = this.#options;
    const { startTimeoutMs, startMaxMs } = settings();
    const [message, setting, name] = isCapped
      ? ([
          `The server did not complete its handshake within ${formatSpan(startMaxMs)}.`,
          'startMaxMs',
          'Start may take',
        ] as const)
      : ([
          `The server showed no sign of progress for ${formatSpan(startTimeoutMs)} while starting.`,
          'startTimeoutMs',
          'Start may be silent for',
        ] as const);
    const remedy = `Read what it wrote to stderr, or raise "${name}" in its configuration.`;
    const data = { setting, limitMs: settings()[setting] };
    onTimeout(new PanelError('START_TIMEOUT', message, { data, remedy }));
  }
}
