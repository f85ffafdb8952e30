import { useRef, useState, type FocusEvent } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { arrangeServers, type ServerArrangement } from '../format/server-list.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { PanelState } from '../store/panel-store.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';

/** A pointer that has rested this long is not aiming at anything. */
const AIMING_MS = 10_000;

interface CalmServerList {
  readonly arrangement: ServerArrangement;
  /** For the element under whose pointer, and in which under whose focus, nothing may move. */
  readonly handlers: {
    readonly onPointerMove: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

interface Hold {
  readonly until: number;
  /** The search, filter and grouping for which it holds: another choice is a wish to see the list change. */
  readonly choice: string;
  readonly servers: PanelState['servers'];
}

/**
 * What the overview lists, held still while the pointer moves over the view, and around the row that the keyboard is in: a
 * server that changes its state neither leaves its place nor pushes another from its own. The verdict and the rows
 * themselves stay live, so nothing is hidden meanwhile.
 */
export function useServerList(): CalmServerList {
  const { clock, panel } = useServices();
  const [hold, setHold] = useState<Hold>();
  const [focused, setFocused] = useState<ServerView>();
  const filter = useView((state) => state.filter);
  const grouping = useView((state) => state.grouping);
  const search = useView((state) => state.search.trim());
  const choice = `${filter} ${grouping} ${search}`;
  const isHeld = useNow((now) => hold !== undefined && now < hold.until) && hold?.choice === choice;

  const placedBy = (name: string, live: ServerView): ServerView =>
    focused?.name === name ? focused : ((isHeld ? hold?.servers[name] : undefined) ?? live);
  const arrangement = usePanel(
    useSame(({ names, servers }) => {
      const placed = names.flatMap((name) => {
        const live = servers[name];
        return live === undefined ? [] : [placedBy(name, live)];
      });
      return arrangeServers(placed, { filter, grouping, search });
    }),
  );

  const onPointerMove = () => {
    const until = clock.getState().now + AIMING_MS;
    // The clock ticks once a second, and so at most does this: not every move may render the view.
    if (isHeld && hold?.until === until) return;
    setHold({
      until,
      choice,
      servers: isHeld && hold !== undefined ? hold.servers : panel.getState().servers,
    });
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const name = serverOfRow(target);
    const live = name === undefined ? undefined : panel.getState().servers[name];
    if (name === focused?.name || name === undefined || live === undefined) return;
    // What was clicked has the pointer's hold; kept for as long as the focus stays there, it would soon be wrong.
    if (target.matches(':focus-visible')) setFocused(placedBy(name, live));
  };
  const onBlur = ({ relatedTarget }: FocusEvent<HTMLElement>) => {
    const next = relatedTarget instanceof Element ? serverOfRow(relatedTarget) : undefined;
    if (next !== focused?.name) setFocused(undefined);
  };
  return {
    arrangement,
    handlers: { onPointerMove, onPointerLeave: () => setHold(undefined), onFocus, onBlur },
  };
}

const serverOfRow = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[role="row"][data-server]')?.dataset['server'];

/** The selector with its last answer given again for as long as the new one says the same. */
function useSame<T>(select: (state: PanelState) => T): (state: PanelState) => T {
  const last = useRef<T>(undefined);
  return (state) => {
    const next = select(state);
    if (last.current !== undefined && isSameJson(last.current, next)) return last.current;
    return (last.current = next);
  };
}
