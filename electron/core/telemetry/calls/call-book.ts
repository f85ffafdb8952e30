import type { CallMinute, RecentCalls } from '../../../../shared/call-figures.ts';
import type { Clock, Disposable, WallClock } from '../../clock.ts';
import { CallMinutes } from './call-minutes.ts';
import { CallTotals, type CallTotalsView } from './call-totals.ts';
import { isError, type EndedCall } from './ended-call.ts';
import { LastMinute, SLOT_MS } from './last-minute.ts';

export interface CallBookOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Called when the figure of the last minute has changed, by a new call or because one has left the minute. */
  readonly onRecent?: (key: string) => void;
}

interface Page {
  readonly minutes: CallMinutes;
  readonly lastMinute: LastMinute;
  readonly totals: CallTotals;
}

/** Figures of calls per key (a server, a client): an hour by minute, the last minute, and totals since the start. */
export class CallBook {
  readonly #options: CallBookOptions;
  readonly #pages = new Map<string, Page>();
  /** Keys with calls in the last minute. */
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

  /** Undefined when no call ended within the last minute. */
  recent(key: string): RecentCalls | undefined {
    return this.#pages.get(key)?.lastMinute.at(this.#options.clock.now());
  }

  /** Undefined before the first call. */
  totals(key: string): CallTotalsView | undefined {
    return this.#pages.get(key)?.totals.view;
  }

  forget(key: string): void {
    this.#pages.delete(key);
    this.#recent.delete(key);
  }

  /** Ends the timer. Recorded figures can still be read. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#recent.clear();
  }

  /** Updates keys whose calls have left the last minute. The timer runs only while there are recent calls. */
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
