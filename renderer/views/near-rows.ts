import { createContext, type RefCallback, useCallback, useContext, useMemo, useState } from 'react';

/** Distance from the visible part within which rows are drawn, so that a step of the wheel only reveals drawn rows. */
const NEAR_PX = 400;

type OnNear = (names: ReadonlySet<string>) => void;

/** Reports which rows of a list are near its visible part, by the server name in their `data-server` attribute. */
export class NearRows {
  readonly #onNear: OnNear;
  readonly #rows = new Set<HTMLElement>();
  #near: ReadonlySet<string> = new Set();
  /** Observer of the scroll container. It exists only while a row is watched, since the container is found from that row. */
  #observer: IntersectionObserver | undefined;

  constructor(onNear: OnNear) {
    this.#onNear = onNear;
  }

  /** Watches whether the element of a row is near the visible part. @returns function that stops watching */
  watch(row: HTMLElement): () => void {
    this.#rows.add(row);
    this.#observer ??= this.#observe(row);
    this.#observer.observe(row);
    return () => {
      this.#rows.delete(row);
      this.#observer?.unobserve(row);
      if (this.#rows.size > 0) return;
      this.#observer?.disconnect();
      this.#observer = undefined;
    };
  }

  #observe(row: HTMLElement): IntersectionObserver {
    const scroller = row.closest('[data-server-list]')?.parentElement ?? null;
    return new IntersectionObserver((entries) => this.#seen(entries), {
      root: scroller,
      rootMargin: `${NEAR_PX}px 0px`,
    });
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    const near = new Set(this.#near);
    for (const { target, isIntersecting } of entries) {
      const name = target instanceof HTMLElement ? target.dataset['server'] : undefined;
      if (name === undefined) continue;
      if (isIntersecting) near.add(name);
      // A row with the focus stays drawn, because otherwise the focused control would be removed.
      else if (!target.contains(document.activeElement)) near.delete(name);
    }
    this.#near = near;
    this.#onNear(near);
  }
}

/** Tracker of the rows in the list that contains a component; undefined outside a list. */
export const NearRowsContext = createContext<NearRows | undefined>(undefined);

/** Returns a ref callback that registers the element of a row with the tracker of its list. */
export function useWatchedRow(): RefCallback<HTMLElement> {
  const rows = useContext(NearRowsContext);
  return useCallback((row: HTMLElement | null) => (row === null ? undefined : rows?.watch(row)), [rows]);
}

/** Maximum length of a list in which all rows are always drawn in full. */
const WHOLE_LIST = 30;
/** Number of rows that a longer list always draws in full, so that it is not empty before its visible part is known. */
const HEAD_ROWS = 12;

/**
 * Returns the rows of a list that are drawn in full, which are those near the visible part. The other rows show only the name,
 * for keyboard and screen readers, and cost nothing when new values arrive.
 */
export function useDrawnRows(shown: readonly string[]): {
  readonly drawn: ReadonlySet<string>;
  readonly nearRows: NearRows;
} {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set<string>());
  const [nearRows] = useState(() => new NearRows(setNear));
  const drawn = useMemo(() => drawnRows(shown, near), [shown, near]);
  return { drawn, nearRows };
}

/** @param near rows near the visible part; empty until they are known */
export function drawnRows(shown: readonly string[], near: ReadonlySet<string>): ReadonlySet<string> {
  if (shown.length <= WHOLE_LIST) return new Set(shown);
  return new Set(shown.filter((name, place) => place < HEAD_ROWS || near.has(name)));
}
