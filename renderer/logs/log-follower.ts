import { createStore, type StoreApi } from 'zustand/vanilla';
import { indexOfId } from './line-scan.ts';
import type { LogRow } from './log-rows.ts';
import type { LogTarget } from './use-hit-steps.ts';
import type { VirtualRows } from './use-virtual-rows.ts';

/** Properties of a log at the time of its last rendering, from which the follower decides whether to scroll. */
export interface RenderedLog {
  readonly scroller: HTMLElement;
  readonly virtual: Pick<VirtualRows, 'heightPx' | 'offsetOf' | 'scrollTo' | 'rowAt'>;
  readonly rows: readonly LogRow[];
  /** Text that identifies the search whose matches are the only lines shown; empty if all lines are shown. */
  readonly filterKey: string;
  /** Line to scroll to. The log scrolls only once for each target. */
  readonly target: LogTarget | undefined;
  readonly isSearching: boolean;
  /** Number that changes when all loaded lines are replaced, because the log was opened at another position. */
  readonly windowId: number;
  /** Id of the line at which the log opens; undefined if it opens at its end. */
  readonly placeId: number | undefined;
  /** Whether the last row is the newest line of the log. */
  readonly isTail: boolean;
  /** True if lines or text are selected. The log then does not scroll to new lines, so that the selection stays in view. */
  readonly isHeld: boolean;
  /** Text that changes when lines wrap at other places, which changes the heights of all rows. */
  readonly layoutKey: string;
}

/** Scroll position of a log. `id` is the topmost row in view, and `offsetPx` is the distance of its top from the upper edge. */
interface Place {
  readonly isAtEnd: boolean;
  readonly id: number;
  readonly offsetPx: number;
}

/** Maximum distance in px from the end of the log that still counts as the end; less than one row. */
const END_WITHIN_PX = 12;
/** Height of a one-line row, rounded up. */
const ROW_PX = 24;

/**
 * Controls the scroll position of a log. The log stays at its end while new lines arrive, unless the user scrolled away or
 * selected something. When only matching lines are shown, it scrolls to the last of them, and when the user types a search, to
 * the newest match. When the search ends, the log returns to its position before the search, unless the user scrolled in the
 * meantime.
 */
export class LogFollower {
  /** `leftAt` is the id of the last row that the user saw at the end of the log; undefined while scrolled to the newest line. */
  readonly state: StoreApi<{ readonly leftAt: number | undefined }> = createStore(() => ({
    leftAt: undefined,
  }));
  #log: RenderedLog | undefined;
  #heightPx: number | undefined;
  #follows = true;
  #isPeeking = false;
  #lastSeen = -Infinity;
  /** Current position, including during a search or filter. */
  #view: Place = { isAtEnd: true, id: 0, offsetPx: 0 };
  /** Scroll position before the search or filter began, to which the log returns afterwards. */
  #place: Place = this.#view;
  #frame = 0;

  /** Called after each rendering; scrolls if the change requires it. */
  rendered(log: RenderedLog): void {
    const before = this.#log;
    this.#log = log;
    if (before === undefined) return this.#followOrNote();
    if (before.windowId !== log.windowId) return this.#beginAnew(log);
    const isOtherFilter = before.filterKey !== log.filterKey;
    const isSearchOver = before.isSearching && !log.isSearching && this.#isPeeking;
    if (isOtherFilter && log.filterKey !== '') {
      this.#follows = true;
      this.#settle(() => this.toEnd());
    } else if (log.target !== undefined && log.target !== before.target) {
      this.#isPeeking = log.target.isPeek;
      this.#settle(() => this.#show(log.target?.id ?? 0));
    } else if (isSearchOver || isOtherFilter) {
      this.#isPeeking = false;
      this.#follows = this.#place.isAtEnd;
      this.#settle(() => this.#goTo(this.#place));
    } else if (before.layoutKey !== log.layoutKey) {
      const view = this.#view;
      this.#settle(() => this.#goTo(view));
    } else if (before.rows !== log.rows || before.virtual.heightPx !== log.virtual.heightPx) {
      this.#followOrNote();
    }
  }

  /** Handles a scroll event. */
  scrolled(): void {
    const log = this.#log;
    // Scroll events that a resize causes are ignored, because the user did not scroll.
    if (log === undefined || log.scroller.clientHeight !== this.#heightPx) return;
    this.#follows = log.isTail && isScrolledToEnd(log.scroller);
    this.#note(this.#follows);
    const row = log.virtual.rowAt(log.scroller.scrollTop);
    if (row === undefined) return;
    this.#view = { isAtEnd: this.#follows, id: row.id, offsetPx: row.topPx - log.scroller.scrollTop };
    if (log.filterKey === '' && !this.#isPeeking) this.#place = this.#view;
  }

  /** Handles a change of the height of the scroll container. */
  resized(): void {
    this.#heightPx = this.#log?.scroller.clientHeight;
    this.#followOrNote();
  }

  /** Called when the user scrolls the log; the new position is then kept when the search ends. */
  led(): void {
    this.#isPeeking = false;
  }

  toStart(): void {
    this.led();
    this.#log?.scroller.scrollTo({ top: 0 });
  }

  toEnd(): void {
    this.#log?.scroller.scrollTo({ top: this.#log.scroller.scrollHeight });
  }

  /** Scrolls by the smallest distance that shows the whole line. */
  show(id: number): void {
    const log = this.#log;
    const index = log === undefined ? -1 : indexOfId(log.rows, id);
    if (log === undefined || index < 0) return;
    const { scroller, virtual } = log;
    const topPx = virtual.offsetOf(index);
    const leastPx = topPx + ROW_PX - scroller.clientHeight;
    const nextPx = Math.max(leastPx, Math.min(scroller.scrollTop, topPx));
    if (nextPx !== scroller.scrollTop) scroller.scrollTo({ top: nextPx });
  }

  /** Returns the id of the last row in view. */
  idInView(): number | undefined {
    const { scroller, virtual } = this.#log ?? {};
    if (scroller === undefined || virtual === undefined) return undefined;
    return virtual.rowAt(scroller.scrollTop + scroller.clientHeight - ROW_PX)?.id;
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }

  #followOrNote(): void {
    const log = this.#log;
    if (log === undefined) return;
    if (this.#follows && log.isTail && !log.isHeld) this.toEnd();
    this.#note(log.isTail && isScrolledToEnd(log.scroller));
  }

  /** Restarts with other lines, because the positions and rows of the earlier lines are no longer valid. */
  #beginAnew(log: RenderedLog): void {
    const { placeId } = log;
    this.#lastSeen = -Infinity;
    this.#isPeeking = false;
    this.#follows = placeId === undefined;
    this.#view = this.#place = { isAtEnd: this.#follows, id: placeId ?? 0, offsetPx: 0 };
    this.#settle(() => (placeId === undefined ? this.#followOrNote() : this.#show(placeId)));
    this.#note(this.#follows && log.isTail);
  }

  #note(isAtEnd: boolean): void {
    // The maximum is taken, because during a search the last matching row may be older than the rows seen before.
    if (isAtEnd) this.#lastSeen = Math.max(this.#lastSeen, this.#log?.rows.at(-1)?.id ?? -Infinity);
    const leftAt = isAtEnd ? undefined : this.#lastSeen;
    if (this.state.getState().leftAt !== leftAt) this.state.setState({ leftAt });
  }

  #show(id: number): void {
    const log = this.#log;
    const index = log === undefined ? -1 : indexOfId(log.rows, id);
    if (log === undefined || index < 0) return;
    const { scroller, virtual } = log;
    const topPx = virtual.offsetOf(index);
    const bottomPx = scroller.scrollTop + scroller.clientHeight;
    if (topPx >= scroller.scrollTop && topPx + 2 * END_WITHIN_PX <= bottomPx) return;
    virtual.scrollTo(Math.max(0, topPx - scroller.clientHeight / 2));
  }

  #goTo({ isAtEnd, id, offsetPx }: Place): void {
    const log = this.#log;
    if (log === undefined) return;
    if (isAtEnd) return this.toEnd();
    // If the row no longer exists, the log starts at the top, because rows are only ever removed from the top.
    const index = Math.max(0, indexOfId(log.rows, id));
    log.scroller.scrollTo({ top: log.virtual.offsetOf(index) - offsetPx });
  }

  /** Scrolls immediately and again two frames later, because rows have their real height only after they are drawn. */
  #settle(scroll: () => void): void {
    cancelAnimationFrame(this.#frame);
    scroll();
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(scroll);
    });
  }
}

const isScrolledToEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.clientHeight - element.scrollTop < END_WITHIN_PX;
