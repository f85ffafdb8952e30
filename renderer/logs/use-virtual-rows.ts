import { defaultRangeExtractor, useVirtualizer, type Range, type VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState, type RefCallback, type RefObject } from 'react';
import { indexOfId } from './line-scan.ts';
import { isDivider, type LogRow } from './log-rows.ts';

/** Height in px of a text line, and of a row's borders and padding together. They must match the CSS classes. */
const LINE_PX = 16;
const ROW_PADDING_PX = 2;
const DIVIDER_PX = 30;
/** Width of one character in px, used only to estimate how text wraps. */
const CHARACTER_PX = 7.2;
/** Number of rows above and below the visible ones that are in the DOM as well. */
const OVERSCAN = 16;

interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly LogRow[];
  readonly wraps: boolean;
  /** Width in px of the parts of a row other than its text; only for estimates. */
  readonly besideTextPx: number;
  /** Ids of rows that always stay in the DOM, because a selection begins or ends in them. */
  readonly kept: readonly number[];
}

export interface VirtualRows {
  /** Rows in the DOM; `gapPx` is the height of the omitted rows directly above a row. */
  readonly items: readonly { readonly row: LogRow; readonly gapPx: number }[];
  readonly startPx: number;
  readonly heightPx: number;
  /** Text that changes when lines wrap at other places, which changes the heights of all rows. */
  readonly layoutKey: string;
  /** Ref callback that observes the height of a row. */
  readonly measure: RefCallback<HTMLElement>;
  /** Returns the scroll offset that brings the row to the upper edge, as far as the list can be scrolled. */
  offsetOf(index: number): number;
  /** Scrolls to an offset, and keeps that position while the rows there get their real heights. */
  scrollTo(offsetPx: number): void;
  /** Returns the row at a scroll offset, and its distance from the top of all rows; undefined in an empty list. */
  rowAt(offsetPx: number): { readonly id: number; readonly topPx: number } | undefined;
}

/**
 * Returns the rows of a long list that are in the DOM: those in and near the visible area. They are laid out one below the
 * other, and only the first one is positioned by an offset. If rows are removed at the beginning of the list, only that offset
 * changes.
 */
export function useVirtualRows({
  scroller,
  rows,
  wraps,
  besideTextPx,
  kept,
}: VirtualRowsOptions): VirtualRows {
  const columns = useColumns(scroller, besideTextPx);
  const estimateSize = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row === undefined || isDivider(row)) return DIVIDER_PX;
      const lines = wraps ? Math.max(1, Math.ceil(Math.min(row.text.length, 2000) / columns)) : 1;
      return lines * LINE_PX + ROW_PADDING_PX;
    },
    [rows, wraps, columns],
  );
  const keptIndexes = useMemo(
    () => kept.map((id) => indexOfId(rows, id)).filter((at) => at >= 0),
    [kept, rows],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    rangeExtractor: useCallback((range: Range) => withKept(range, keptIndexes), [keptIndexes]),
    overscan: OVERSCAN,
    // The lines in view keep their position when earlier lines are removed or added.
    anchorTo: 'end',
  });
  const { measure, measureAgain } = useMeasure(rows, (index, heightPx) =>
    virtualizer.resizeItem(index, heightPx),
  );
  useEffect(() => {
    // Lines now wrap at other places, so the heights measured so far are invalid.
    virtualizer.measure();
    measureAgain();
  }, [virtualizer, measureAgain, wraps, columns]);

  return {
    items: withGaps(virtualizer.getVirtualItems(), rows),
    startPx: virtualizer.getVirtualItems()[0]?.start ?? 0,
    heightPx: virtualizer.getTotalSize(),
    layoutKey: `${wraps ? columns : 0}`,
    measure,
    offsetOf: (index) => virtualizer.getOffsetForIndex(index, 'start')?.[0] ?? 0,
    scrollTo: (offsetPx) => virtualizer.scrollToOffset(offsetPx),
    rowAt: (offsetPx) => {
      const item = virtualizer.getVirtualItemForOffset(offsetPx);
      return item === undefined ? undefined : { id: Number(item.key), topPx: item.start };
    },
  };
}

function withGaps(drawn: readonly VirtualItem[], rows: readonly LogRow[]): VirtualRows['items'] {
  let endPx = 0;
  return drawn.flatMap(({ index, start, end }, nth) => {
    const row = rows[index];
    if (row === undefined) return [];
    const gapPx = nth === 0 ? 0 : start - endPx;
    endPx = end;
    return [{ row, gapPx }];
  });
}

function withKept(range: Range, kept: readonly number[]): number[] {
  const inView = defaultRangeExtractor(range);
  return kept.length === 0 ? inView : [...new Set([...kept, ...inView])].sort((one, other) => one - other);
}

/** Returns the approximate number of characters that fit into a row. */
function useColumns(scroller: RefObject<HTMLElement | null>, besideTextPx: number): number {
  const [columns, setColumns] = useState(100);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(() =>
      setColumns(Math.max(10, Math.floor((element.clientWidth - besideTextPx) / CHARACTER_PX))),
    );
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroller, besideTextPx]);
  return columns;
}

/** Calls `onHeight` when the height of a row in the DOM changes. The returned `measureAgain` reports all heights again. */
function useMeasure(rows: readonly LogRow[], onHeight: (index: number, heightPx: number) => void) {
  const latest = useRef({ rows, onHeight });
  useEffect(() => {
    latest.current = { rows, onHeight };
  });
  const [elements] = useState(() => new Set<Element>());
  const observer = useRef<ResizeObserver>(undefined);
  const observe = useCallback((element: Element) => {
    observer.current ??= new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const heightPx = borderBoxSize[0]?.blockSize;
        const index = indexOfId(latest.current.rows, Number(target.getAttribute('data-line')));
        if (heightPx !== undefined && index >= 0) latest.current.onHeight(index, heightPx);
      }
    });
    observer.current.observe(element, { box: 'border-box' });
  }, []);
  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      elements.add(element);
      observe(element);
      return () => {
        elements.delete(element);
        observer.current?.unobserve(element);
      };
    },
    [elements, observe],
  );
  const measureAgain = useCallback(() => {
    for (const element of elements) {
      observer.current?.unobserve(element);
      observe(element);
    }
  }, [elements, observe]);
  return { measure, measureAgain };
}
