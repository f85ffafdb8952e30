import type { CallMinute, RecentCalls } from '../../../../shared/call-figures.ts';
import type { Clock, Disposable, WallClock } from '../../clock.ts';
import { CallTotals, type CallTotalsView, type EndedCall, isError, isTimed } from './call-totals.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/units.ts';

/**
 * Statistics of the calls of the last hour, with one row for each minute in which calls ended. If the wall clock is set back,
 * the rows after the new time are dropped.
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
    // If the clock is set back by a few seconds into the previous minute, the calls are still counted in the current row.
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

/** Length of the slots in which calls of the last minute are counted, in ms. */
const SLOT_MS = 5000;
const SLOTS = 12;

interface Slot {
  /** Number of the slot, counted from time 0 of the clock. */
  readonly index: number;
  calls: number;
  errors: number;
}

/** Calls of the last 55 to 60 seconds by the monotonic clock. */
class LastMinute {
  /** Slots in order of time, at most 12. */
  #slots: readonly Slot[] = [];

  add(isError: boolean, nowMs: number): void {
    const index = Math.floor(nowMs / SLOT_MS);
    let slot = this.#slots.at(-1);
    if (slot?.index !== index) {
      slot = { index, calls: 0, errors: 0 };
      this.#slots = [...this.#slotsAt(nowMs), slot];
    }
    slot.calls += 1;
    if (isError) slot.errors += 1;
  }

  /** Returns the numbers of calls and errors at `nowMs`; undefined if no call ended in the last minute. */
  at(nowMs: number): RecentCalls | undefined {
    this.#slots = this.#slotsAt(nowMs);
    if (this.#slots.length === 0) return undefined;
    const sum = (count: (slot: Slot) => number) =>
      this.#slots.reduce((total, slot) => total + count(slot), 0);
    return { calls: sum(({ calls }) => calls), errors: sum(({ errors }) => errors) };
  }

  #slotsAt(nowMs: number): readonly Slot[] {
    const oldest = Math.floor(nowMs / SLOT_MS) - SLOTS + 1;
    return this.#slots.filter(({ index }) => index >= oldest);
  }
}

interface CallBookOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /**
   * Called when the calls of the last minute have changed, because of a new call or because a call is now older than a minute.
   */
  readonly onRecent?: (key: string) => void;
}

interface Page {
  readonly minutes: CallMinutes;
  readonly lastMinute: LastMinute;
  readonly totals: CallTotals;
}

/**
 * Statistics of calls for each key (a server or a client): rows for the minutes of the last hour, figures of the last minute,
 * and totals since the panel started.
 */
export class CallBook {
  readonly #options: CallBookOptions;
  readonly #pages = new Map<string, Page>();
  readonly #recent = new Set<string>();
  #timer: Disposable | undefined;

  constructor(options: CallBookOptions) {
    this.#options = options;
  }

  record(key: string, call: EndedCall): void {
    const { clock, wallClock, onRecent } = this.#options;
    const page = this.#pages.get(key) ?? newPage();
    this.#pages.set(key, page);
    page.minutes.add(call, wallClock.epochMs());
    page.lastMinute.add(isError(call), clock.now());
    page.totals.add(call);
    this.#recent.add(key);
    this.#timer ??= onRecent && clock.setTimeout(() => this.#age(), SLOT_MS);
    onRecent?.(key);
  }

  /** Minutes with calls since `sinceEpochMs`, within the last hour, oldest first. */
  since(key: string, sinceEpochMs: number): readonly CallMinute[] {
    return this.#pages.get(key)?.minutes.since(sinceEpochMs, this.#options.wallClock.epochMs()) ?? [];
  }

  /** Returns the calls of the last minute; undefined if no call ended in it. */
  recent(key: string): RecentCalls | undefined {
    return this.#pages.get(key)?.lastMinute.at(this.#options.clock.now());
  }

  /** Returns the totals of the calls; undefined before the first call. */
  totals(key: string): CallTotalsView | undefined {
    return this.#pages.get(key)?.totals.view;
  }

  forget(key: string): void {
    this.#pages.delete(key);
    this.#recent.delete(key);
  }

  /** Stops the timer. Recorded figures can still be read. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#recent.clear();
  }

  /** Reports keys whose calls may now be older than a minute. The timer runs only while there are calls in the last minute. */
  #age(): void {
    const { clock, onRecent } = this.#options;
    for (const key of this.#recent) {
      onRecent?.(key);
      if (this.recent(key) === undefined) this.#recent.delete(key);
    }
    this.#timer = this.#recent.size > 0 ? clock.setTimeout(() => this.#age(), SLOT_MS) : undefined;
  }
}

const newPage = (): Page => ({
  minutes: new CallMinutes(),
  lastMinute: new LastMinute(),
  totals: new CallTotals(),
});

/** Maximum relative error of a quantile. For very short durations, the error may be larger, but at most `LEAST_MS`. */
const RELATIVE_ERROR = 0.025;

/**
 * Factor by which each bucket is wider than the one before it. It is chosen so that a bucket's middle differs from both its
 * edges by at most `RELATIVE_ERROR`.
 */
const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);

const LEAST_MS = 0.1;

/** Longest duration in ms that is distinguished: one day. Longer durations are counted as one day. */
const MOST_MS = 86_400_000;

/** Number of buckets, 413: the first contains all durations up to `LEAST_MS`, the last all from `MOST_MS` on. */
const BUCKETS = bucketOf(MOST_MS) + 1;

/** Histogram of any number of durations in 1.7 KB. The minimum and maximum are exact. */
class DurationHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;
  #leastMs = Infinity;
  mostMs = 0;

  add(durationMs: number): void {
    const bucket = Math.min(BUCKETS - 1, bucketOf(durationMs));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#leastMs = Math.min(this.#leastMs, durationMs);
    this.mostMs = Math.max(this.mostMs, durationMs);
  }

  /** Returns a quantile by nearest rank; undefined while empty. @param quantile share above 0, at most 1 */
  quantileMs(quantile: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.ceil(quantile * this.#count);
    let seen = 0;
    const bucket = this.#counts.findIndex((count) => (seen += count) >= rank);
    const middleMs = bucket === BUCKETS - 1 ? this.mostMs : middleOf(bucket);
    return Math.min(this.mostMs, Math.max(this.#leastMs, middleMs));
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#leastMs = Infinity;
    this.mostMs = 0;
  }
}

/** Bucket index of a duration. Bucket n holds durations above `LEAST_MS` × `GROWTH`^(n - 1), up to `LEAST_MS` × `GROWTH`^n. */
function bucketOf(durationMs: number): number {
  return durationMs <= LEAST_MS ? 0 : Math.ceil(Math.log(durationMs / LEAST_MS) / Math.log(GROWTH));
}

function middleOf(bucket: number): number {
  return bucket === 0 ? LEAST_MS : (2 * LEAST_MS * GROWTH ** bucket) / (GROWTH + 1);
}
