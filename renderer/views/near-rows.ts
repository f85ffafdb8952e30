import { createContext, type RefCallback, useCallback, useContext, useMemo, useState } from 'react';

/**
 * Distance from the visible part within which rows are drawn, so that rows are already drawn when a step of the wheel scrolls
 * to them.
 */
const NEAR_PX = 400;

type OnNear = (names: ReadonlySet<string>) => void;

/** Reports which rows of a list are near the visible part. Rows are identified by the server name on their element. */
export class NearRows {
  readonly #onNear: OnNear;
  readonly #rows = new Set<HTMLElement>();
  #near: ReadonlySet<string> = new Set();
  /** Observer of the scroll container. It exists only while a row is watched, because the container is found through its rows. */
  #observer: IntersectionObserver | undefined;

  constructor(onNear: OnNear) {
    this.#onNear = onNear;
  }

  /** @returns function that stops watching */
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

/** Rows of the list around a component; undefined outside a list. */
export const NearRowsContext = createContext<NearRows | undefined>(undefined);

/** Ref callback for the element of a row. */
export function useWatchedRow(): RefCallback<HTMLElement> {
  const rows = useContext(NearRowsContext);
  return useCallback((row: HTMLElement | null) => (row === null ? undefined : rows?.watch(row)), [rows]);
}

/** Maximum number of rows for which all rows are drawn. */
const WHOLE_LIST = 30;
/** Number of rows drawn before the visible part is known. */
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

/** @param near rows near the visible part, if they are known yet */
export function drawnRows(shown: readonly string[], near: ReadonlySet<string>): ReadonlySet<string> {
  if (shown.length <= WHOLE_LIST) return new Set(shown);
  return new Set(shown.filter((name, place) => place < HEAD_ROWS || near.has(name)));
}
