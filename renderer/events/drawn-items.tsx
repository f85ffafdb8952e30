import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
  useId,
} from 'react';
import { OPEN_EVENT } from '../charts/open-event.ts';
import { dayRows, entriesOf, type LogItem, type OrderedLine } from '../format/log-order.ts';
import { DayWords } from './event-time.tsx';
import { foldedId, OpenRowsContext, useOpenRow } from './open-rows.ts';
import { EventRow, Disclosure, RowLine, RowWords, ServerName } from './event-row.tsx';
import { describeFold } from '../format/incident-words.ts';
import { latestOf, type LogEntry } from '../format/incidents.ts';
import { formatPlural } from '../format/figures.ts';

/** Fixed row heights in pixels. An open row is taller and its height is measured. */
const ROW_PX = 24;
const DAY_PX = 26;
/** Number of rows kept above and below the visible part. */
const OVERSCAN = 16;
/** Assumed size of the log before its real size is known, in pixels. */
const FIRST_RECT = { width: 900, height: 600 };

interface DrawnItemsProps {
  readonly items: readonly LogItem[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hasServer: boolean;
  readonly isShort: boolean;
}

/** List of the rows near the visible part, grouped by day. The heading of the current day sticks to the upper edge. */
export function DrawnItems({ items, scroller, hasServer, isShort }: DrawnItemsProps) {
  const rows = useMemo(() => dayRows(items), [items]);
  const days = useMemo(() => rows.flatMap(({ kind }, index) => (kind === 'day' ? [index] : [])), [rows]);
  const dayAt = useCallback((index: number) => days.findLast((day) => day <= index) ?? 0, [days]);
  const { ids } = useContext(OpenRowsContext);
  const openAt = useMemo(
    () => rows.flatMap((row, index) => (row.kind !== 'day' && ids.has(openIdOf(row)) ? [index] : [])),
    [rows, ids],
  );
  const list = useRef<HTMLOListElement>(null);
  const [marginPx, setMarginPx] = useState(0);
  // The offset is measured after each render, because it changes with the content above the log. Setting the same value again
  // does not cause another render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => setMarginPx(offsetIn(scroller.current, list.current)));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollerOf(scroller.current),
    scrollMargin: marginPx,
    estimateSize: (index) => (rows[index]?.kind === 'day' ? DAY_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.id ?? index,
    // If the page scrolls rather than the log, open rows stay rendered even outside the visible part, because the log grows to
    // make room for them.
    rangeExtractor: (range: Range) =>
      including(range, [dayAt(range.startIndex + 1), ...(marginPx > 0 ? openAt : [])]),
    overscan: OVERSCAN,
    initialRect: FIRST_RECT,
  });
  useOpenedByMark(scroller, rows, (index) => virtualizer.scrollToIndex(index));
  // The sticky heading covers the first row in range, so the first visible row is the next one.
  const sticky = dayAt((virtualizer.range?.startIndex ?? -1) + 1);
  return (
    <ol ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }} data-sizer>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const style: CSSProperties =
          index === sticky ? {} : { transform: `translateY(${start - marginPx}px)` };
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={index === sticky ? 'sticky top-0 z-1 bg-ground' : 'absolute top-0 left-0 w-full'}
            style={style}
          >
            <Row row={row} hasServer={hasServer} isShort={isShort} />
          </li>
        );
      })}
    </ol>
  );
}

/** Returns the element that scrolls the log: the log itself, or the page if the log grows with its content. */
function scrollerOf(log: HTMLElement | null): HTMLElement | null {
  for (let element = log; element !== null; element = element.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(element).overflowY)) return element;
  return log;
}

/** Returns the offset in px of the rows within the scrolled content of the page; 0 if the log scrolls itself. */
function offsetIn(log: HTMLElement | null, list: HTMLElement | null): number {
  const scroller = scrollerOf(log);
  if (scroller === log || scroller === null || list === null) return 0;
  const topPx = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return Math.round(topPx + scroller.scrollTop);
}

interface RowProps {
  readonly row: OrderedLine;
  readonly hasServer: boolean;
  readonly isShort: boolean;
}

function Row({ row, hasServer, isShort }: RowProps) {
  switch (row.kind) {
    case 'day':
      return <DayWords at={row.at} isShort={isShort} />;
    case 'fold':
      return <FoldedRow id={row.id} entries={row.entries} hasServer={hasServer} />;
    case 'entry':
      return <EventRow entry={row.entry} hasServer={hasServer} />;
  }
}

const including = (range: Range, more: readonly number[]): number[] =>
  [...new Set([...more, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);

const openIdOf = (item: LogItem): string => (item.kind === 'fold' ? foldedId(item.id) : item.entry.id);

/** Opens the row of an event when its mark in a chart is clicked, regardless of the log's scroll position. */
function useOpenedByMark(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly OrderedLine[],
  scrollTo: (index: number) => void,
): void {
  const { open } = useContext(OpenRowsContext);
  useEffect(() => {
    const log = scroller.current;
    const opened = (asked: Event) => {
      const id: unknown = asked instanceof CustomEvent ? asked.detail : undefined;
      const index = rows.findIndex((row) => row.kind !== 'day' && idsOf(row).includes(String(id)));
      const row = rows[index];
      if (row === undefined || row.kind === 'day') return;
      asked.preventDefault();
      const entry = entriesOf(row).find(({ events }) => events.some((event) => event.id === id));
      open([...(row.kind === 'fold' ? [foldedId(row.id)] : []), ...(entry ? [entry.id] : [])]);
      scrollTo(index);
    };
    log?.addEventListener(OPEN_EVENT, opened);
    return () => log?.removeEventListener(OPEN_EVENT, opened);
  });
}

const idsOf = (item: LogItem): readonly string[] =>
  entriesOf(item).flatMap(({ events }) => events.map(({ id }) => id));

interface FoldedRowProps {
  readonly id: string;
  /** Entries of several servers with the same text, newest first. */
  readonly entries: readonly [LogEntry, ...LogEntry[]];
  readonly hasServer: boolean;
}

/** Row for entries of several servers with the same text: "7 servers started", with their names. Expands to a row per entry. */
function FoldedRow({ id, entries, hasServer }: FoldedRowProps) {
  const [isOpen, toggle] = useOpenRow(foldedId(id));
  const listId = useId();
  const [newest] = entries;
  const names = [...new Set(entries.flatMap(({ events }) => events[0]?.server ?? []))].toSorted();
  const [only] = names;
  return (
    <div
      className={isOpen ? 'bg-hover' : undefined}
      data-moment={latestOf(newest).at}
      data-moment-server={names.length === 1 ? only : undefined}
    >
      <RowLine entry={newest} onClick={toggle}>
        {hasServer &&
          (names.length === 1 && only !== undefined ? (
            <ServerName name={only} />
          ) : (
            <span className="flex-none w-132 truncate">{formatPlural(names.length, 'server')}</span>
          ))}
        <Disclosure isOpen={isOpen} controls={listId}>
          <RowWords
            title={describeFold(entries, names.length)}
            details={names.length > 1 ? names.join(', ') : ''}
          />
        </Disclosure>
      </RowLine>
      {isOpen && (
        <ol id={listId} className="pl-16">
          {entries.map((entry) => (
            <li key={entry.id}>
              <EventRow entry={entry} hasServer={hasServer} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
