import { createContext, type RefCallback, useCallback, useContext, useMemo, useState } from 'react';

/** Distance from what is in view within which rows are drawn, so that a turn of the wheel finds them there. */
const NEAR_PX = 400;

type OnNear = (names: ReadonlySet<string>) => void;

/** Tells which rows of one list are near what is in view, by the server that their element names. */
export class NearRows {
  readonly #onNear: OnNear;
  readonly #rows = new Set<HTMLElement>();
  #near: ReadonlySet<string> = new Set();
  /** It is there as long as a row is watched, because the list that scrolls is known by its rows. */
  #observer: IntersectionObserver | undefined;

  constructor(onNear: OnNear) {
    this.#onNear = onNear;
  }

  /** @returns what ends it */
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
      // What has the focus stays: it would be lost with the control that has it.
      else if (!target.contains(document.activeElement)) near.delete(name);
    }
    this.#near = near;
    this.#onNear(near);
  }
}

/** Undefined outside a list. */
export const NearRowsContext = createContext<NearRows | undefined>(undefined);

/** Goes to the element of a row. */
export function useWatchedRow(): RefCallback<HTMLElement> {
  const rows = useContext(NearRowsContext);
  return useCallback((row: HTMLElement | null) => (row === null ? undefined : rows?.watch(row)), [rows]);
}

/** A list of so many is drawn whole. */
const WHOLE_LIST = 30;
/** Rows that are drawn before it is known what is in view. */
const HEAD_ROWS = 12;

/**
 * Which rows of a list are drawn whole: those near what is in view. The others have the name alone, with which they are
 * found by keys and screen readers, and cost nothing when figures come.
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

/** @param near rows near what is in view, as far as that is known */
export function drawnRows(shown: readonly string[], near: ReadonlySet<string>): ReadonlySet<string> {
  if (shown.length <= WHOLE_LIST) return new Set(shown);
  return new Set(shown.filter((name, place) => place < HEAD_ROWS || near.has(name)));
}
