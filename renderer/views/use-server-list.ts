import { type FocusEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { arrangeServers, type ServerArrangement } from '../format/server-list.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { PanelState, PanelStore } from '../store/panel-store.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { keepOrder, SORT_SPAN_MS, sortServers } from '../format/list-order.ts';
import type { ClockStore } from '../store/clock-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { Past } from '../store/past.ts';
import type { ViewStore } from '../store/view-store.ts';
import { rowServer } from './row-selection.ts';

/** Milliseconds after which a resting pointer no longer keeps the list in its order. */
const AIMING_MS = 10_000;

interface CalmServerList {
  readonly arrangement: ServerArrangement;
  /** Event handlers for the list's container that keep the rows in place while the pointer or keyboard focus is inside. */
  readonly handlers: {
    readonly onPointerMove: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

interface Hold {
  readonly until: number;
  /** Search, filter and grouping when the order was frozen, as one string. If one of them changes, the order is freed. */
  readonly choice: string;
  readonly servers: PanelState['servers'];
}

/**
 * List of servers for the overview. While the pointer moves over the view, the order of the rows is kept. While a row has the
 * keyboard focus, that row is kept in place. A server whose state changes then neither leaves its position nor moves other
 * rows. The summary and the content of the rows are still updated, so that nothing is hidden in the meantime.
 */
export function useServerList(): CalmServerList {
  const { clock, panel } = useServices();
  const [hold, setHold] = useState<Hold>();
  const [focused, setFocused] = useState<ServerView>();
  const filter = useView((state) => state.filter);
  const grouping = useView((state) => state.grouping);
  const search = useView((state) => state.search.trim());
  const order = useServerOrder();
  const choice = `${filter} ${grouping} ${search}`;
  const isHeld = useNow((now) => hold !== undefined && now < hold.until) && hold?.choice === choice;

  const placedBy = (name: string, live: ServerView): ServerView =>
    focused?.name === name ? focused : ((isHeld ? hold?.servers.get(name) : undefined) ?? live);
  const arrangement = usePanel(
    useSame(({ servers }) => {
      const placed = order.flatMap((name) => {
        const live = servers.get(name);
        return live === undefined ? [] : [placedBy(name, live)];
      });
      return arrangeServers(placed, { filter, grouping, search });
    }),
  );

  const onPointerMove = () => {
    const until = clock.getState().now + AIMING_MS;
    // The clock advances once a second, so the hold also changes at most once a second. Otherwise the view would render at
    // every pointer move.
    if (isHeld && hold?.until === until) return;
    setHold({
      until,
      choice,
      servers: isHeld && hold !== undefined ? hold.servers : panel.getState().servers,
    });
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const name = rowServer(target);
    const live = name === undefined ? undefined : panel.getState().servers.get(name);
    if (name === focused?.name || name === undefined || live === undefined) return;
    // Only keyboard focus is handled here. For a click, the pointer already keeps the order, and the focus that the click
    // leaves on the row would keep it too long.
    if (target.matches(':focus-visible')) setFocused(placedBy(name, live));
  };
  const onBlur = ({ relatedTarget }: FocusEvent<HTMLElement>) => {
    const next = rowServer(relatedTarget);
    if (next !== focused?.name) setFocused(undefined);
  };
  return {
    arrangement,
    handlers: { onPointerMove, onPointerLeave: () => setHold(undefined), onFocus, onBlur },
  };
}

/** Returns a selector that returns its previous result while the new result is equal to it. */
function useSame<T>(select: (state: PanelState) => T): (state: PanelState) => T {
  const last = useRef<T>(undefined);
  return (state) => {
    const next = select(state);
    if (last.current !== undefined && isSameJson(last.current, next)) return last.current;
    return (last.current = next);
  };
}

/** Names in the order shown. Order by name is applied immediately, any other order when `watchOrder` allows changes. */
function useServerOrder(): readonly string[] {
  const services = useServices();
  const names = usePanel((state) => state.names);
  const isByName = useView(({ sortBy }) => sortBy === 'name');
  const isDescending = useView((state) => state.isDescending);
  const [order, setOrder] = useState(() => orderNow(services));
  useEffect(() => watchOrder(services, isListInUse, setOrder), [services]);
  return useMemo(() => {
    if (isByName) return isDescending ? names.toReversed() : names;
    return keepOrder(order, names);
  }, [isByName, isDescending, order, names]);
}

const isListInUse = (): boolean =>
  document.querySelector('[data-server-list]')?.matches(':hover, :focus-within') === true;

interface OrderSources {
  readonly panel: PanelStore;
  readonly history: HistoryStore;
  readonly view: ViewStore;
  readonly clock: ClockStore;
  readonly past: Pick<Past, 'called'>;
}

/** Names in the order that the user chose, calculated from the current values of the servers. */
export function orderNow({ panel, history, view, clock, past }: OrderSources): readonly string[] {
  const { names, servers } = panel.getState();
  const from = clock.getState().now - SORT_SPAN_MS;
  return sortServers(
    names.flatMap((name) => servers.get(name) ?? []),
    view.getState(),
    (name) => history.since(name, from),
    past.called.getState(),
  );
}

/**
 * Calls `onOrder` immediately when the user changes the sorting. Otherwise it calls `onOrder` every ten seconds, but not while
 * the list is in use, so that no row moves under the pointer. An order by name is not reported at these intervals. Returns the
 * unsubscribe function.
 */
export function watchOrder(
  sources: OrderSources,
  isInUse: () => boolean,
  onOrder: (order: readonly string[]) => void,
): () => void {
  const { view, clock } = sources;
  const turnOf = (now: number) => Math.floor(now / SORT_SPAN_MS);
  const undo = [
    view.subscribe(({ sortBy, isDescending }, before) => {
      if (sortBy !== before.sortBy || isDescending !== before.isDescending) onOrder(orderNow(sources));
    }),
    clock.subscribe(({ now }, before) => {
      const isTurn = turnOf(now) !== turnOf(before.now);
      if (isTurn && view.getState().sortBy !== 'name' && !isInUse()) onOrder(orderNow(sources));
    }),
  ];
  return () => undo.forEach((stop) => stop());
}
