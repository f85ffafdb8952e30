import type { Clock, Disposable } from '../clock.ts';

/**
 * Minimum milliseconds between two reports with the same key; items in between are counted in the next report. The minimum is
 * long because a program with an old token retries every few seconds, and a server may send a request with each call.
 */
const QUIET_MS = 10 * 60_000;

interface CountedReportsOptions<Item> {
  readonly clock: Clock;
  /**
   * Milliseconds that the first report of a key is delayed, to combine it with further items of the same key. Default: the
   * first report is sent immediately.
   */
  readonly gatherMs?: number;
  /** Merges items that are reported together. Default: keeps the newest. */
  readonly merge?: (before: Item, next: Item) => Item;
  readonly tell: (item: Item, count: number) => void;
}

interface Counted<Item> {
  count: number;
  /** Merged items that arrived since the last report; undefined if there were none. */
  item: Item | undefined;
  readonly timer: Disposable;
}

/**
 * Reports repeated items together with their count, so that a flood of them takes only a few lines in the journal. The creator
 * of this object must dispose of it.
 */
export class CountedReports<Item extends object> implements Disposable {
  readonly #options: CountedReportsOptions<Item>;
  readonly #counted = new Map<string, Counted<Item>>();

  constructor(options: CountedReportsOptions<Item>) {
    this.#options = options;
  }

  /**
   * Counts an item and reports it now or later. @param key items with the same key are reported together; there must be only a
   * few keys
   */
  add(key: string, item: Item): void {
    const { gatherMs = 0, merge, tell } = this.#options;
    const counted = this.#counted.get(key);
    if (counted) {
      counted.count += 1;
      counted.item = counted.item && merge ? merge(counted.item, item) : item;
    } else if (gatherMs > 0) {
      this.#counted.set(key, { count: 1, item, timer: this.#wait(key, gatherMs) });
    } else {
      this.#counted.set(key, { count: 0, item: undefined, timer: this.#wait(key, QUIET_MS) });
      tell(item, 1);
    }
  }

  /** Stops the timers and sends all reports that are still pending. */
  dispose(): void {
    for (const { count, item, timer } of this.#counted.values()) {
      timer.dispose();
      if (item) this.#options.tell(item, count);
    }
    this.#counted.clear();
  }

  #wait(key: string, ms: number): Disposable {
    return this.#options.clock.setTimeout(() => this.#over(key), ms);
  }

  #over(key: string): void {
    const { count = 0, item } = this.#counted.get(key) ?? {};
    this.#counted.delete(key);
    if (!item) return;
    const timer = this.#wait(key, QUIET_MS);
    this.#counted.set(key, { count: 0, item: undefined, timer });
    this.#options.tell(item, count);
  }
}
