import { createContext, memo, useContext, useMemo, useState, type MouseEvent } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { shownState, stateWords, type StateKind } from '../../shared/server-states.ts';
import { formatPlural } from '../format/figures.ts';
import { formatHourMinute } from '../format/moments.ts';
import { useNow, usePanel, useServices } from '../services.ts';
import { mergeEvents } from '../store/merge-events.ts';
import { serverHref } from '../store/route-store.ts';
import { zoomTo } from '../store/span-choice.ts';
import { CELL_MS, DAY_CELLS, dayCells, dayKinds, type CellKind, type DayCell } from './day-cells.ts';
import { gapsOf, withPastGaps, type Gap } from './gaps.ts';
import { usePast } from './use-past.ts';
import styles from './day-bar.module.css';

const MOST_EVENTS = 1000;
const HOUR_MS = 3_600_000;

/** Events of the last 24 hours by server; those of the panel under the empty name. */
interface Day {
  readonly from: number;
  readonly events: ReadonlyMap<string, readonly PanelEvent[]>;
  readonly gaps: readonly Gap[];
}

const DayContext = createContext<Day | undefined>(undefined);
export const DayProvider = DayContext.Provider;

/** What happened in the last 24 hours, read once for all rows. */
export function useDay(): Day {
  const { past } = useServices();
  const to = useNow((now) => (Math.floor(now / CELL_MS) + 1) * CELL_MS);
  const from = to - DAY_CELLS * CELL_MS;
  const query = useMemo(() => ({ from, to, kinds: [...dayKinds], limit: MOST_EVENTS }), [from, to]);
  const { reply } = usePast(past.events, query, '');
  // Without servers the answer has the times without a panel alone.
  const span = useMemo(
    () => ({ from, to, servers: [], metrics: ['memoryBytes' as const], maxBuckets: DAY_CELLS }),
    [from, to],
  );
  const { reply: series } = usePast(past.series, span, '');
  const live = usePanel((state) => state.events);
  return useMemo(() => {
    const events = mergeEvents(live, reply?.events ?? []).filter(({ at }) => at >= from);
    const byServer = groupBy(events, ({ server }) => server ?? '');
    // Of what lies before the oldest event that was read, nothing is known.
    const oldest = reply?.hasMore === true ? reply.events[0]?.at : undefined;
    const unread = oldest === undefined ? [] : [{ from, to: oldest }];
    const gaps = withPastGaps(gapsOf(events), [...unread, ...(series?.absences ?? [])]);
    return { from, events: byServer, gaps };
  }, [live, reply, series, from]);
}

function groupBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const cellWords: Readonly<Record<CellKind, string>> = {
  ...{ failed: stateWords.failed, stalled: stateWords.stalled, backoff: stateWords.backoff },
  ...{ suspect: stateWords.suspect, running: 'fine', off: 'nothing known', stopped: stateWords.stopped },
};

/** Kind of a cell for a state of now. */
const kindNow = (kind: StateKind): CellKind =>
  kind === 'starting' ? 'running' : kind === 'stopping' ? 'stopped' : kind;

/** Bar of the last 24 hours: troubles in full height, fine times as a foot, nothing where the server was stopped. */
export const DayBar = memo(function DayBar({ server }: { readonly server: string }) {
  const services = useServices();
  const day = useContext(DayContext);
  const now = usePanel(({ servers }) => {
    const view = servers.get(server);
    return view === undefined ? 'stopped' : kindNow(shownState(view));
  });
  const own = day?.events.get(server);
  const ofPanel = day?.events.get('');
  const cells = useMemo(() => {
    if (day === undefined) return [];
    const events = [...(own ?? []), ...(ofPanel ?? [])].sort((one, other) => one.at - other.at);
    return dayCells(events, day.gaps, day.from, now);
  }, [own, ofPanel, day, now]);
  const [pointed, setPointed] = useState<DayCell>();
  const troubles = cells.filter((cell) => cell.troubles.length > 0).length;
  const words =
    troubles === 0 ? 'nothing went wrong' : `trouble in ${formatPlural(troubles, 'part')} of the day`;
  return (
    <span
      role="cell"
      className={styles.cell}
      aria-label={`Last 24 hours: ${words}`}
      data-tip={pointed && tipOf(pointed)}
      data-moment={pointed?.from}
      data-moment-server={server}
      onPointerMove={(event) => setPointed(cellAt(cells, event))}
      onPointerLeave={() => setPointed(undefined)}
      onClick={(event) => {
        const cell = cellAt(cells, event);
        if (cell === undefined) return;
        event.preventDefault();
        const at = services.clock.getState().now;
        const window = { from: cell.from - HOUR_MS, to: cell.to + HOUR_MS };
        services.view.setState(({ span }) => ({ span: zoomTo(span, window, at), pinnedAt: undefined }));
        location.hash = serverHref(server);
      }}
    >
      <Cells cells={cells} />
    </span>
  );
});

const HEIGHT = 20;
const FOOT = 5;

/** One path for each kind, so that a hundred rows have some hundred elements. */
const Cells = memo(function Cells({ cells }: { readonly cells: readonly DayCell[] }) {
  const paths = groupBy([...cells.keys()], (index) => cells[index]?.kind ?? 'off');
  return (
    <svg viewBox={`0 0 ${DAY_CELLS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {[...paths].map(([kind, at]) => (
        <path key={kind} className={styles[kind]} d={at.map((index) => shapes[kind](index)).join('')} />
      ))}
    </svg>
  );
});

const bar = (top: number) => (x: number) => `M${x + 0.1} ${HEIGHT}V${top}h.8V${HEIGHT}z`;
/** Shape of a cell, by which the kinds are told apart without their colours. */
const shapes: Readonly<Record<CellKind, (x: number) => string>> = {
  ...{ failed: bar(0), stalled: bar(3), backoff: bar(6), suspect: bar(9), running: bar(HEIGHT - FOOT) },
  off: (x) => `M${x + 0.1} ${HEIGHT}l.4 -${FOOT}h.3l-.4 ${FOOT}z`,
  stopped: () => '',
};

function cellAt(cells: readonly DayCell[], { currentTarget, clientX }: MouseEvent): DayCell | undefined {
  const box = currentTarget.querySelector('svg')?.getBoundingClientRect();
  return box && cells[Math.floor(((clientX - box.left) / box.width) * DAY_CELLS)];
}

const tipOf = ({ from, to, kind, troubles }: DayCell): string =>
  `${formatHourMinute(from)}–${formatHourMinute(to)} · ${troubles.length > 0 ? troubles.join(', ') : cellWords[kind]}`;
