import { createContext, memo, useContext, useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { groupBy } from '../../shared/group-by.ts';
import type { PastEventsReply, Span } from '../../shared/history.ts';
import { shownState, stateWords, type StateKind } from '../../shared/server-states.ts';
import { formatPlural } from '../format/figures.ts';
import { eventGroups } from '../format/event-words.ts';
import { formatHourMinute, formatSpanOfTime } from '../format/moments.ts';
import { useNow, usePanel, useServices, type Services } from '../services.ts';
import { mergeEvents } from '../store/older-events.ts';
import { serverHref } from '../store/route-store.ts';
import { zoomTo } from '../store/span-choice.ts';
import { CellBar } from './day-cell-bar.tsx';
import {
  CELL_MS,
  type CellKind,
  DAY_CELLS,
  type DayCell,
  dayCells,
  dayKinds,
  stripCells,
} from './day-cells.ts';
import { type Gap, gapsOf, type TimeWindow, withPastGaps } from './downsample.ts';
import { usePast } from './use-past.ts';
import type { WindowControl } from './use-span-window.ts';
import { HOUR_MS } from '../../shared/units.ts';

/** Maximum number of events that are read in one request; these are the newest. */
const MOST_EVENTS = 1000;

/** Events of the last 24 hours by server; the panel's own events are under the empty name. */
interface Day {
  readonly from: number;
  readonly events: ReadonlyMap<string, readonly PanelEvent[]>;
  readonly gaps: readonly Gap[];
}

const DayContext = createContext<Day | undefined>(undefined);
export const DayProvider = DayContext.Provider;

/** Returns the events of the last 24 hours, read once for all rows. */
export function useDay(): Day {
  const to = useNow((now) => (Math.floor(now / CELL_MS) + 1) * CELL_MS);
  const window = useMemo(() => ({ from: to - DAY_CELLS * CELL_MS, to }), [to]);
  const { events, gaps } = useHappenings(window, dayKinds);
  return useMemo(() => {
    const ofDay = events.filter(({ at }) => at >= window.from);
    return { from: window.from, events: groupBy(ofDay, ({ server }) => server ?? ''), gaps };
  }, [events, gaps, window]);
}

/**
 * Returns the events of these kinds in a time window, both those loaded from the history and those pushed since. Also returns
 * the gaps in the window, for which nothing is known.
 */
function useHappenings(window: TimeWindow, kinds: readonly EventKind[]) {
  const { past } = useServices();
  const query = useMemo(() => ({ ...window, kinds: [...kinds], limit: MOST_EVENTS }), [window, kinds]);
  const { reply } = usePast(past.events, query, '');
  const absences = useAbsences(window);
  const live = usePanel((state) => state.events);
  return useMemo(() => {
    const events = mergeEvents(live, reply?.events ?? []);
    const gaps = withPastGaps(gapsOf(events), [...unknownPart(window.from, reply), ...absences]);
    return { events, gaps };
  }, [live, reply, absences, window]);
}

const NO_ABSENCES: readonly Span[] = [];

/** Returns the time spans within a window during which the panel did not run. */
function useAbsences(window: TimeWindow): readonly Span[] {
  const { past } = useServices();
  // With no servers requested, the answer contains only the time spans in which the panel did not run.
  const query = useMemo(
    () => ({ ...window, servers: [], metrics: ['memoryBytes' as const], maxBuckets: DAY_CELLS }),
    [window],
  );
  return usePast(past.series, query, '').reply?.absences ?? NO_ABSENCES;
}

/**
 * Returns the first part of the time window if nothing is known about it: the time before the oldest event that was read if
 * there are more events, or the time before the very first start of the panel.
 */
function unknownPart(from: number, reply: PastEventsReply | undefined): readonly Span[] {
  const [first] = reply?.events ?? [];
  const isFirstStart =
    first?.kind === 'panel-started' &&
    first.detail.absentMs === undefined &&
    first.detail.endedUncleanly === undefined;
  return first && (reply?.hasMore === true || isFirstStart) ? [{ from, to: first.at }] : [];
}

const cellWords: Readonly<Record<CellKind, string>> = {
  ...{ failed: stateWords.failed, stalled: stateWords.stalled, backoff: stateWords.backoff },
  ...{ suspect: stateWords.suspect, running: 'fine', asleep: stateWords.asleep },
  ...{ off: 'nothing known', stopped: stateWords.stopped },
};

/** Returns the kind of cell for a current state. */
const kindNow = (kind: StateKind): CellKind =>
  kind === 'starting' ? 'running' : kind === 'stopping' ? 'stopped' : kind;

/**
 * Bar of the last 24 hours of a server. Problems are drawn as high bars, the worst at full height, and normal operation as a
 * low bar. Nothing is drawn while the server was stopped.
 */
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
  const troubles = cells.filter((cell) => cell.troubles.length > 0).length;
  const words = troubles === 0 ? 'no problems' : `problems in ${formatPlural(troubles, 'part')} of the day`;
  return (
    <span
      role="cell"
      className="flex flex-2 items-center min-w-96 h-full"
      aria-label={`Last 24 hours: ${words}`}
    >
      <CellBar
        cells={cells}
        name={`Last 24 hours of ${server}`}
        words={words}
        server={server}
        tipOf={tipOf}
        onGo={(cell) => {
          goTo(services, { from: cell.from - HOUR_MS, to: cell.to + HOUR_MS });
          location.hash = serverHref(server);
        }}
      />
    </span>
  );
});

/** Shows a time window in all views. */
function goTo({ clock, view }: Services, window: TimeWindow): void {
  const { now } = clock.getState();
  view.setState(({ span }) => ({ span: zoomTo(span, window, now), pinnedAt: undefined }));
}

const tipOf = ({ from, to, kind, troubles }: DayCell): string =>
  `${formatHourMinute(from)}–${formatHourMinute(to)} · ${troubles.length > 0 ? troubles.join(', ') : cellWords[kind]}`;

interface TroubleStripProps {
  readonly window: TimeWindow;
  /** Name of the server; null for all servers. */
  readonly server: string | null;
  readonly control: WindowControl;
}

/**
 * Strip of the problems in a time window; each cell shows the worst problem of its part of the window. Dragging zooms to the
 * selected time, and a click zooms to a cell.
 */
export function TroubleStrip({ window, server, control }: TroubleStripProps) {
  const { events, gaps } = useHappenings(window, stripKinds);
  const cells = useMemo(() => {
    const isShown = (event: PanelEvent) =>
      eventGroups.problems.includes(event.kind) && (server === null || event.server === server);
    return stripCells(events.filter(isShown), gaps, window);
  }, [events, gaps, window, server]);
  const count = cells.reduce((sum, cell) => sum + cell.events, 0);
  return (
    <div className="flex-none px-16 py-8">
      <CellBar
        cells={cells}
        name="Problems over the time shown"
        words={count === 0 ? 'no problems' : formatPlural(count, 'problem')}
        tipOf={(cell) => `${formatSpanOfTime(cell)} · ${cell.troubles.join(', ') || cellWords[cell.kind]}`}
        onGo={control.zoom}
        onSelect={control.zoom}
      />
    </div>
  );
}

const stripKinds: readonly EventKind[] = ['panel-started', ...eventGroups.problems];
