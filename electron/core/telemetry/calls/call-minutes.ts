import type { CallMinute } from '../../../../shared/call-figures.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { isError, isTimed, type EndedCall } from './ended-call.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Last hour of calls, with one row per minute that had any, by wall-clock time of their end; older rows are dropped. Only
 * the open minute has a histogram. When the wall clock is set back, rows later than the new time are dropped.
 */
export class CallMinutes {
  /** Rows, oldest first, at most 60. */
  #rows: readonly CallMinute[] = [];
  #openAt: number | undefined;
  #calls = 0;
  #errors = 0;
  readonly #durations = new DurationHistogram();

  add(call: EndedCall, epochMs: number): void {
    this.#open(Math.floor(epochMs / MINUTE_MS) * MINUTE_MS);
    this.#calls += 1;
    if (isError(call)) this.#errors += 1;
    if (isTimed(call)) this.#durations.add(call.durationMs);
  }

  /** Minutes of the hour before `nowEpochMs` that end after `sinceEpochMs`, oldest first; the last may be unfinished. */
  since(sinceEpochMs: number, nowEpochMs: number): readonly CallMinute[] {
    const fromMs = Math.max(sinceEpochMs, nowEpochMs - HOUR_MS);
    return [...this.#rows, ...this.#openRow].filter(({ at }) => at + MINUTE_MS > fromMs);
  }

  #open(at: number): void {
    // A clock corrected by seconds must not open the previous minute again.
    const isSame = this.#openAt === at || this.#openAt === at + MINUTE_MS;
    if (isSame) return;
    const rows = [...this.#rows, ...this.#openRow];
    this.#rows = rows.filter((row) => row.at < at && row.at >= at - HOUR_MS);
    this.#openAt = at;
    this.#calls = 0;
    this.#errors = 0;
    this.#durations.clear();
  }

  /** Row of the open minute so far; empty before the first call. */
  get #openRow(): readonly CallMinute[] {
    if (this.#openAt === undefined) return [];
    const durations = this.#durations;
    const [p50Ms, p95Ms] = [durations.quantileMs(0.5), durations.quantileMs(0.95)];
    const isKnown = p50Ms !== undefined && p95Ms !== undefined;
    return [
      {
        at: this.#openAt,
        calls: this.#calls,
        errors: this.#errors,
        ...(isKnown && { durations: { p50Ms, p95Ms, maxMs: durations.mostMs } }),
      },
    ];
  }
}
