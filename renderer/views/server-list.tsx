import { useShallow } from 'zustand/react/shallow';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
} from 'react';
import { listScale, type ListScale, ListScaleContext } from '../charts/list-scale.ts';
import { DayProvider, useDay } from '../charts/day-bar.tsx';
import { formatCount } from '../format/figures.ts';
import { type ServerGroup, emptyFilterWords } from '../format/server-list.ts';
import { engineWords } from '../format/server-place.ts';
import { useNow, usePanel, useRoute, useServices, useView } from '../services.ts';
import { ListHeader } from './list-header.tsx';
import { NearRowsContext, useDrawnRows, useWatchedRow } from './near-rows.ts';
import { useSelectionKeys, clickRow } from './row-selection.ts';
import { useShownColumns } from './list-columns.ts';
import { SPARK_SPAN_MS, SPARK_STEP_MS } from '../charts/sparkline-path.ts';
import { ActionError } from './action-error.tsx';
import { RowCells } from './row-cells.tsx';
import { boxAt } from '../ui/menu.tsx';
import type { CallUsageQuery } from '../../shared/call-usage.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { KEPT_MS } from '../../shared/retention.ts';
import { usePast } from '../charts/use-past.ts';
import { useCallsOfEach } from '../overview/use-usage.ts';
import { calledServers, UNUSED_DAYS } from '../store/called.ts';
import { DAY_MS, HOUR_MS } from '../../shared/units.ts';
import { ListBar } from './list-bar.tsx';
import { useServerList } from './use-server-list.ts';

/** Width in px of a character of a name; `BEFORE_NAME_PX` is the width of the content before the name. */
const CHARACTER_PX = 7.4;
const BEFORE_NAME_PX = 44;
/** Width for the command or address below the name, in pixels; less would cut half of it. */
const ORIGIN_PX = 232;

interface ServerListProps {
  readonly groups: readonly ServerGroup[];
  /** Names of servers for which a card above the list shows the reason for their state, so that their rows omit it. */
  readonly told?: readonly string[];
  /** Whether the rows show no second line, because the window has no room for it. */
  readonly isOneLine?: boolean;
}

/** List of servers in the given order, which the caller keeps stable. */
export function ServerList({ groups, told = [], isOneLine = false }: ServerListProps) {
  const scale = useListScale();
  useCalled();
  const day = useDay();
  const chosen = useView((state) => state.density);
  const density = isOneLine ? 'compact' : chosen;
  const { controls } = useShownColumns();
  const isSelecting = useView(({ selection }) => selection.names.size > 0);
  const shown = useMemo(() => groups.flatMap(({ names }) => names), [groups]);
  const { drawn, nearRows } = useDrawnRows(shown);
  useSelectionKeys(shown);
  const longest = Math.max(0, ...shown.map(({ length }) => length));
  const namePx = Math.ceil(longest * CHARACTER_PX) + BEFORE_NAME_PX;
  const widthPx = density === 'comfortable' ? Math.max(namePx, ORIGIN_PX) : namePx;
  return (
    <ListScaleContext value={scale}>
      <DayProvider value={day}>
        <NearRowsContext value={nearRows}>
          <div
            role="table"
            aria-label="Servers"
            className="group/list @container/servers"
            style={{ '--name': `${widthPx}px` } as CSSProperties}
            data-server-list
            data-density={density}
            data-selecting={isSelecting || undefined}
            data-controls={controls || undefined}
            onKeyDown={moveBetweenRows}
          >
            <ListHeader />
            {groups.map((group) => (
              <Group key={group.title} {...group}>
                {group.names.map((name) => (
                  <ServerRow key={name} name={name} isTold={told.includes(name)} isDrawn={drawn.has(name)} />
                ))}
              </Group>
            ))}
          </div>
        </NearRowsContext>
      </DayProvider>
    </ListScaleContext>
  );
}

/**
 * Group of servers under a common title. If the servers are grouped by the place where they run, the title also shows the state
 * of the container engine.
 */
function Group({ title, names, children }: ServerGroup & { readonly children: ReactNode }) {
  const isByPlace = useView(({ grouping }) => grouping === 'place');
  const servers = usePanel(
    useShallow((state) => (isByPlace ? names.flatMap((name) => state.servers.get(name) ?? []) : [])),
  );
  const events = usePanel((state) => (isByPlace ? state.events : undefined));
  const words = useNow((now) => events && engineWords(servers, events, now));
  if (title === '')
    return (
      <div role="rowgroup" className="group/rows">
        {children}
      </div>
    );
  return (
    <div role="rowgroup" className="group/rows" aria-label={title} aria-description={words}>
      <div
        className="sticky top-[31px] z-1 pt-8 pr-16 pb-4 pl-(--indent) border-b border-line bg-ground text-12/16 text-dim font-semibold"
        aria-hidden="true"
      >
        {title} <span className="ml-4 text-faint font-normal">{formatCount(names.length)}</span>{' '}
        <span className="ml-4 text-faint font-normal">{words}</span>
      </div>
      {children}
    </div>
  );
}

/** Moves the focus within a column with the arrow keys, for example from one Stop button to the next, also across groups. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const focused = event.target instanceof HTMLElement ? event.target : undefined;
  const row = focused?.closest<HTMLElement>('[data-server]');
  if (row === null || row === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"][data-server]')];
  const next = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  const control = focused?.dataset['control'];
  const same =
    control === undefined
      ? null
      : next.querySelector<HTMLElement>(`[data-control="${control}"]:not(:disabled)`);
  const target = same ?? next.querySelector<HTMLElement>('[data-home]');
  event.preventDefault();
  target?.focus();
}

/** Common scale of all rows. It is recomputed at each step of the curves, because all curves are redrawn then anyway. */
function useListScale(): ListScale {
  const { history, panel } = useServices();
  const endAt = useNow((now) => Math.floor(now / SPARK_STEP_MS) * SPARK_STEP_MS);
  return useMemo(
    () =>
      listScale(
        [...panel.getState().servers.values()],
        (name) => history.since(name, endAt - SPARK_SPAN_MS),
        endAt,
      ),
    [history, panel, endAt],
  );
}

interface ServerRowProps {
  readonly name: string;
  /** Whether a card shows the reason for the state, so that the row shows only the state. */
  readonly isTold: boolean;
  /** Whether the row is drawn in full. Otherwise it shows only the name, which costs nothing when new values arrive. */
  readonly isDrawn: boolean;
}

const row = [
  'group/row relative border-b border-line hover:bg-hover aria-selected:bg-accent-soft',
  'aria-[current=page]:bg-accent-soft aria-[current=page]:[box-shadow:inset_2px_0_var(--accent)]',
  // The last row needs no line, because the content below it has one.
  'group-last/rows:last:border-transparent',
  '[content-visibility:auto] [contain-intrinsic-size:auto_43px]',
  'group-data-[density=compact]/list:[contain-intrinsic-size:auto_35px]',
].join(' ');

/** Row of one server. */
const ServerRow = memo(function ServerRow({ name, isTold, isDrawn }: ServerRowProps) {
  const services = useServices();
  const route = useRoute();
  const watch = useWatchedRow();
  const isThere = usePanel(({ servers }) => servers.has(name));
  const isSelected = useView(({ selection }) => selection.names.has(name));
  if (!isThere) return null;
  const isOpen = route.view === 'server' && route.name === name;
  return (
    <div
      ref={watch}
      role="row"
      aria-label={name}
      className={row}
      data-server={name}
      aria-selected={isSelected}
      {...(isOpen && { 'aria-current': 'page' as const })}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event: MouseEvent<HTMLElement>) => clickRow(event, name, services)}
      onContextMenu={(event) => {
        // A time within the row (an element with `data-moment`) has its own context menu.
        if (event.target instanceof Element && event.target.closest('[data-moment]') !== null) return;
        event.preventDefault();
        services.manage.setMenu({ of: { server: name }, box: boxAt(event.clientX, event.clientY) });
      }}
    >
      <RowCells name={name} isTold={isTold} isSelected={isSelected} isDrawn={isDrawn} />
      <ActionError server={name} className="pr-2 pb-8 pl-38" />
    </div>
  );
});

const MOST_STARTS = 1000;

/** Loads the recent calls of each server, for the rows and their order. */
function useCalled(): void {
  const services = useServices();
  const { past } = services;
  const names = usePanel((state) => state.names);
  const hourOf = useCallsOfEach(services, names);
  // The time range ends at the start of the current hour, because a result that covers only past hours is read once and then
  // reused.
  const to = useNow((now) => Math.floor(now / HOUR_MS) * HOUR_MS);
  const usage = useMemo((): CallUsageQuery => ({ from: to - KEPT_MS, to, by: 'server' }), [to]);
  const { reply: used } = usePast(past.callUsage, usage, '');
  const day = Math.floor(to / DAY_MS) * DAY_MS;
  const before = useMemo(
    (): PastEventsQuery => ({
      ...{ from: day - KEPT_MS, to: day - UNUSED_DAYS * DAY_MS },
      ...{ kinds: ['started'], limit: MOST_STARTS },
    }),
    [day],
  );
  const { reply: started } = usePast(past.events, before, '');
  useEffect(() => {
    const sources = { names, rows: used?.rows, starts: started?.events, hourOf };
    past.called.setState(calledServers(sources), true);
  }, [past, names, used, started, hourOf]);
}

/** Server list beside the page of a server, if the app window is wide enough for both. */
export function ServerListPane({ open }: { readonly open: string }) {
  const { arrangement, handlers } = useServerList();
  const { groups } = arrangement;
  const filter = useView((state) => state.filter);
  const hasServers = usePanel((state) => state.names.length > 0);
  const shown = groups.reduce((sum, { names }) => sum + names.length, 0);
  useEffect(() => {
    const row = document.querySelector(`[role="row"][data-server="${CSS.escape(open)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  if (!hasServers) return null;
  return (
    <section
      className="flex flex-col flex-[0_0_min(42%,760px)] min-w-0 h-full border-r border-line"
      aria-label="Server list"
      {...handlers}
    >
      <div className="flex-none pt-12">
        <ListBar shown={shown} />
      </div>
      <div className="min-h-0 flex-1 overflow-auto border-t border-line [scrollbar-gutter:stable]">
        {groups.length > 0 ? (
          <ServerList groups={groups} />
        ) : (
          <p className="p-16 text-dim">{emptyFilterWords[filter]}</p>
        )}
      </div>
    </section>
  );
}
