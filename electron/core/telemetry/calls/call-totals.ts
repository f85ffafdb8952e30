import { callOutcomes, type CountedOutcome } from '../../../../shared/call-figures.ts';

export type OutcomeCounts = Readonly<Record<CountedOutcome, number>>;

/** Upper bounds of the buckets exported to metrics collectors: from 5 ms to 5 minutes. */
const BOUNDS_MS: readonly number[] = [
  5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000,
];

/** Totals of calls since the panel started. No figure ever decreases. */
export interface CallTotalsView {
  readonly outcomes: OutcomeCounts;
  /** Durations of calls that were answered or exceeded their deadline. */
  readonly durations: {
    readonly count: number;
    readonly sumMs: number;
    /** Cumulative number of calls up to each bound, lowest bound first; no count includes calls above the last bound. */
    readonly upTo: readonly { readonly boundMs: number; readonly count: number }[];
  };
}

export class CallTotals {
  readonly #outcomes = noOutcomes();
  readonly #buckets: number[] = BOUNDS_MS.map(() => 0);
  #count = 0;
  #sumMs = 0;

  add(call: EndedCall): void {
    this.#outcomes[call.outcome] += 1;
    if (!isTimed(call)) return;
    this.#count += 1;
    this.#sumMs += call.durationMs;
    const bucket = BOUNDS_MS.findIndex((boundMs) => call.durationMs <= boundMs);
    if (bucket !== -1) this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
  }

  get view(): CallTotalsView {
    let below = 0;
    const upTo = BOUNDS_MS.map((boundMs, index) => ({
      boundMs,
      count: (below += this.#buckets[index] ?? 0),
    }));
    return { outcomes: { ...this.#outcomes }, durations: { count: this.#count, sumMs: this.#sumMs, upTo } };
  }
}

export function noOutcomes(): Record<CountedOutcome, number> {
  return Object.fromEntries(callOutcomes.map((outcome) => [outcome, 0])) as Record<CountedOutcome, number>;
}

export interface EndedCall {
  readonly outcome: CountedOutcome;
  /** Milliseconds from when the call was sent until the caller stopped waiting. */
  readonly durationMs: number;
}

/** True if the call failed. A cancellation by the caller is not a failure. */
export const isError = ({ outcome }: EndedCall): boolean => outcome !== 'result' && outcome !== 'cancelled';

/** True if the duration shows how long the server takes. The duration of a cancelled or lost call does not. */
export const isTimed = ({ outcome }: EndedCall): boolean => outcome !== 'cancelled' && outcome !== 'lost';
