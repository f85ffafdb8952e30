import type { EventKind } from '../../../../shared/domain.ts';
import { toErrorDetail, type PanelError } from '../../../../shared/error-codes.ts';
import type { CallInFlight } from '../connection/call-ledger.ts';
import type { Evidence } from '../liveness/liveness-monitor.ts';
import type { VerdictRow } from '../liveness/verdict.ts';
import { verdictDetail } from './run-errors.ts';

/** A run that is up. */
export interface BegunRun {
  readonly pid: number | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** Until then a further failure is one with those before. */
  readonly stableAfterMs: number;
}

export interface RunLogOptions {
  readonly logEvent: (kind: EventKind, detail: Record<string, unknown>) => void;
  /** The last of what the run wrote to stderr. */
  readonly stderrTail: () => string;
  /** Of the run that is spoken of. */
  readonly generation: () => number;
  /** Automatic starts in a row; 0 means that this is none. */
  readonly attempts: () => number;
}

/** What is told of the runs of one server, as events. */
export class RunLog {
  readonly #options: RunLogOptions;

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
  ): void {
    this.#log(kind, { ...verdictDetail(verdict, evidence), stderrTail: this.#options.stderrTail() });
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

  crashed(error: PanelError, calls: readonly CallInFlight[] | undefined): void {
    this.#log('crashed', { ...toErrorDetail(error, 'CRASHED'), ...error.data, calls });
  }

  stopped(): void {
    this.#log('stopped', {});
  }

  get #attempt(): number | undefined {
    return this.#options.attempts() || undefined;
  }

  #log(kind: EventKind, detail: Record<string, unknown>): void {
    this.#options.logEvent(kind, { ...detail, generation: this.#options.generation() });
  }
}
