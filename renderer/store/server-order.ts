import { SORT_SPAN_MS, sortServers } from '../format/list-order.ts';
import type { ClockStore } from './clock-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { Past } from './past.ts';
import type { PanelStore } from './panel-store.ts';
import type { ViewStore } from './view-store.ts';

interface OrderSources {
  readonly panel: PanelStore;
  readonly history: HistoryStore;
  readonly view: ViewStore;
  readonly clock: ClockStore;
  readonly past: Pick<Past, 'called'>;
}

/** Names in the order that the user chose, from the current values of the servers. */
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
 * Reports the order at once when the sorting changes, and every ten seconds unless the list is in use, so that no row moves
 * under the pointer. Returns the unsubscribe function.
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
