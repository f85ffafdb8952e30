import { createContext, useCallback, useContext, useState, type RefCallback } from 'react';

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

/** Rows near what is in view, of a list that gives `rows` to them as the context. */
export function useNearRows(): { readonly near: ReadonlySet<string>; readonly rows: NearRows } {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set<string>());
  const [rows] = useState(() => new NearRows(setNear));
  return { near, rows };
}

/** Goes to the element of a row. */
export function useWatchedRow(): RefCallback<HTMLElement> {
  const rows = useContext(NearRowsContext);
  return useCallback((row: HTMLElement | null) => (row === null ? undefined : rows?.watch(row)), [rows]);
}
