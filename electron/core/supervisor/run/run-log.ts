import type { EventDetails, EventKind, LogEvent } from '../../../../shared/events.ts';
import { toErrorDetail, type PanelError } from '../../../../shared/error-codes.ts';
import type { Evidence } from '../liveness/liveness-monitor.ts';
import type { VerdictRow } from '../liveness/verdict.ts';
import type { AtEnd } from './at-end.ts';

/** A run that is up. */
export interface BegunRun {
  readonly pid: number | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** Until then a further failure is one with those before. */
  readonly stableAfterMs: number;
}

export interface RunLogOptions {
  readonly logEvent: LogEvent;
  /** The last of what the run wrote to stderr. */
  readonly stderrTail: () => string;
  /** Of the run that is spoken of. */
  readonly generation: () => number;
  /** Automatic starts in a row; 0 means that this is none. */
  readonly attempts: () => number;
}

/**
 * Who ended a run that was up: a person, an edit of its entry, the panel that quits, the session that a further process was
 * for, or the panel because of a limit.
 */
export type EndedBy = 'person' | 'configuration' | 'panel' | 'session' | 'limit';

/** What is told of the runs of one server, as events. */
export class RunLog {
  readonly #options: RunLogOptions;
  /** What there was of the run that is being stopped. It is told with the stop, once that is done. */
  #stopping: (AtEnd & { readonly by: EndedBy }) | undefined;

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  began(kind: 'started' | 'restarted', { pid, serverInfo, stableAfterMs }: BegunRun): void {
    this.#log(kind, { pid, serverInfo, attempt: this.#attempt, stableAfterMs });
  }

  doubted(
    kind: 'suspect' | 'stalled',
    verdict: { readonly row: VerdictRow; readonly words: string },
    evidence: Evidence,
    end?: AtEnd & { readonly isEnding: true | undefined },
  ): void {
    const { row, words } = verdict;
    const { silentMs: elapsedMs, calls } = evidence;
    const pendingMethods = calls.map(({ method }) => method);
    const stderrTail = this.#options.stderrTail();
    this.#log(kind, { row, words, elapsedMs, pendingMethods, evidence, ...end, stderrTail });
  }

  recovered({ silentMs }: Evidence): void {
    this.#log('recovered', { silentMs });
  }

  startFailed(error: PanelError): void {
    this.#log('start-failed', {
      ...toErrorDetail(error, 'START_FAILED'),
      ...error.data,
      attempt: this.#attempt,
    });
  }

  crashed(error: PanelError, atEnd: AtEnd | undefined): void {
    this.#log('crashed', { ...toErrorDetail(error, 'CRASHED'), ...error.data, ...atEnd });
  }

  /**
   * The panel begins to end the run.
   * @param why who wants that, or the breach of a limit
   * @param atEnd undefined where no run was up
   */
  ending(
    next: 'stopped' | 'starting' | 'verdict',
    why: EndedBy | PanelError,
    atEnd: AtEnd | undefined,
  ): void {
    const cause = typeof why === 'string' ? { by: why } : { by: 'limit' as const, ...why.data };
    const end = atEnd ? { ...cause, ...atEnd } : this.#stopping;
    this.#stopping = next === 'stopped' ? end : undefined;
    if (end && next !== 'stopped') this.#log('ended', { ...end, stderrTail: this.#options.stderrTail() });
  }

  stopped(): void {
    this.#log('stopped', { ...this.#stopping });
    this.#stopping = undefined;
  }

  get #attempt(): number | undefined {
    return this.#options.attempts() || undefined;
  }

  #log<K extends EventKind>(kind: K, detail: EventDetails[K]): void {
    this.#options.logEvent(kind, { ...detail, generation: this.#options.generation() });
  }
}
