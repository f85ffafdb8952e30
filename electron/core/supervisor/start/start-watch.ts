import { PanelError } from '../../../../shared/error-codes.ts';
import { formatSpan } from '../../../../shared/durations.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock } from '../../clock.ts';
import { Deadline } from '../../deadline.ts';
import { aboutServer } from '../../phrases.ts';
import { beginWait, capEndsAt, excuse, waitEndsAt, windowEndsAt, type Wait } from '../../wait-times.ts';

/** Time limits of a start: `startTimeoutMs` without progress, `startMaxMs` in total. */
type StartLimits = Pick<PanelSettings, 'startTimeoutMs' | 'startMaxMs'>;

interface StartWatchOptions {
  readonly clock: Clock;
  /** Returns the limits; called about every second, because the user may change them while the server starts. */
  readonly settings: () => StartLimits;
  readonly onTimeout: (error: PanelError) => void;
}

/**
 * Time limits of a start. The main limit is on inactivity, not on total time, because `npx` and `uvx` may download for minutes,
 * and killing an install corrupts its cache. A server that has been idle for a minute will not come up.
 */
export class StartWatch {
  readonly #options: StartWatchOptions;
  readonly #wait: Wait;
  readonly #deadline: Deadline;

  constructor(options: StartWatchOptions) {
    const { clock } = options;
    this.#options = options;
    this.#wait = beginWait(clock.now());
    this.#deadline = new Deadline({
      clock,
      dueAtMs: () => waitEndsAt(this.#wait, this.#limits),
      limitMs: () => Math.min(this.#limits.windowMs, this.#limits.capMs),
      onAbsent: (absence) => excuse(this.#wait, absence, clock.now()),
      onPassed: () => this.#expire(),
    });
  }

  /** Records progress: output, a new descendant, CPU time or written bytes. */
  progressed(): void {
    this.#wait.lastProgressAtMs = this.#options.clock.now();
  }

  get leftMs(): number {
    return capEndsAt(this.#wait, this.#limits) - this.#options.clock.now();
  }

  dispose(): void {
    this.#deadline.dispose();
  }

  get #limits() {
    const { startTimeoutMs, startMaxMs } = this.#options.settings();
    return { windowMs: startTimeoutMs, capMs: startMaxMs };
  }

  #expire(): void {
    const isCapped = capEndsAt(this.#wait, this.#limits) <= windowEndsAt(this.#wait, this.#limits);
    const { settings, onTimeout } = this.#options;
    const { startTimeoutMs, startMaxMs } = settings();
    const [phrase, setting, name] = isCapped
      ? ([
          `did not complete its handshake within ${formatSpan(startMaxMs)}`,
          'startMaxMs',
          'Start may take',
        ] as const)
      : ([
          `showed no sign of progress for ${formatSpan(startTimeoutMs)} while starting`,
          'startTimeoutMs',
          'Startup timeout (silent)',
        ] as const);
    const remedy = `Read what it wrote to stderr, or raise "${name}" in its configuration.`;
    const data = { setting, limitMs: settings()[setting] };
    onTimeout(new PanelError('START_TIMEOUT', aboutServer(phrase), { data, remedy, short: { phrase } }));
  }
}
