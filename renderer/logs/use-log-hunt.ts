import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import { toReport } from '../control-panel.ts';
import { useServices } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import { createLogHunt, type LogHuntState } from './log-hunt.ts';
import type { LogSearchState } from './log-search.ts';
import type { LogWindow, WindowSide } from './log-window.ts';

interface UsedHunt {
  readonly hunt: LogHuntState;
  readonly cancel: () => void;
  /** Searches for the next match outside the held lines and shows it; returns whether there are lines outside. */
  readonly beyond: (side: WindowSide, onFound: (id: number) => void) => boolean;
}

/** Number of held lines from which a search no longer fetches older lines by itself. */
const FILL_LINES = 10_000;

/** Search beyond the lines that the page holds. It ends with Escape, or when the query changes. */
export function useLogHunt(log: LogWindow, search: LogSearchState, query: LogQuery): UsedHunt {
  const { api } = useServices();
  const [hunter] = useState(() => createLogHunt(api, toReport));
  const hunt = useStore(hunter.state);
  const asked = JSON.stringify(query);
  const { answers, matcher } = search;
  const { isLoaded, hasOlder, lines, fetching } = useStore(log.state);

  useEffect(() => () => hunter.cancel(), [hunter, answers, asked]);
  useEffect(() => {
    if (hunt.phase !== 'searching') return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      hunter.cancel();
    };
    // The listener captures, because Escape would otherwise also empty the search field and leave the view.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [hunter, hunt.phase]);
  useEffect(() => {
    const isShort = isLoaded && hasOlder && lines.length < FILL_LINES;
    if (matcher !== undefined && isShort && fetching === undefined) void log.more('older');
  }, [log, matcher, isLoaded, hasOlder, lines, fetching]);

  const beyond = (side: WindowSide, onFound: (id: number) => void): boolean => {
    const held = log.state.getState();
    const edge = held.lines.at(side === 'older' ? 0 : -1);
    const isMore = side === 'older' ? held.hasOlder : held.hasNewer;
    if (!isMore || edge === undefined || answers === undefined || matcher === undefined) return false;
    const filter = filterOf(query);
    void hunter.find({ filter, query: answers, matcher, key: edge.key, side }).then(async (key) => {
      const id = key === undefined ? undefined : await log.open(filter, { key });
      if (id !== undefined) onFound(id);
    });
    return true;
  };
  return { hunt, cancel: hunter.cancel, beyond };
}
