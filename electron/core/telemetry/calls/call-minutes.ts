import type { CallMinute } from '../../../../shared/call-figures.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { isError, isTimed, type EndedCall } from './ended-call.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The last hour of calls, one row per minute that had any, of the time of day at which they ended; older rows are lost. Only
 * the open minute has a histogram. Where the time of day is set back, rows of the time that is now to come again are lost.
 */
export class CallMinutes {
  /** Oldest first, at most 60. */
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

  /** Minutes of the hour before `nowEpochMs` that were not over at `sinceEpochMs`, oldest first; the last may still go on. */
  since(sinceEpochMs: number, nowEpochMs: number): readonly CallMinute[] {
    const fromMs = Math.max(sinceEpochMs, nowEpochMs - HOUR_MS);
    return [...this.#rows, ...this.#openRow].filter(({ at }) => at + MINUTE_MS > fromMs);
  }

  #open(at: number): void {
    // A clock that is put right by seconds must not open the minute before once more.
    const isSame = this.#openAt === at || this.#openAt === at + MINUTE_MS;
    if (isSame) return;
    const rows = [...this.#rows, ...this.#openRow];
    this.#rows = rows.filter((row) => row.at < at && row.at >= at - HOUR_MS);
    this.#openAt = at;
    this.#calls = 0;
    this.#errors = 0;
    this.#durations.clear();
  }

  /** The open minute as it stands; nothing before the first call. */
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
