import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ShownLine } from '../format/log-lines.ts';
import { usePanelStart, useServices, useView } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import { type LineSelection, selectedLines } from './line-selection.ts';
import { useLogTime } from './log-filters.tsx';
import { createLogHunt, type LogHuntState } from './log-hunt.ts';
import { toRows } from './log-rows.ts';
import { createLogSearch, type LogSearchState } from './log-search.ts';
import { LogWindow, type LogWindowState, type WindowSide } from './log-window.ts';
import { useHitSteps } from './use-hit-steps.ts';

export type ShownLog = ReturnType<typeof useShownLog>;

/** Returns everything that the parts of a log view share: the lines for a query, the search in them, and the selection. */
export function useShownLog(query: LogQuery, server: string | undefined) {
  const { view } = useServices();
  const time = useLogTime();
  const wanted = useMemo(
    () => ({ ...query, ...time, ...(server !== undefined && { servers: [server] }) }),
    [query, time, server],
  );
  const { held, log } = useLogWindow(wanted);
  const launchedAt = usePanelStart();
  const choice = useView((state) => state.logs);
  const search = useLogSearch(held.lines);
  const { hunt, cancel, beyond } = useLogHunt(log, search, wanted);
  const steps = useHitSteps(search, beyond);
  // The filter applies the compiled search in `search`, not the text being typed, because `search.hits` are the matches of the
  // compiled search.
  const isFiltering = choice.isFilter && search.matcher !== undefined;
  const lines = isFiltering ? search.hits : held.lines;
  const isOfOne = wanted.servers?.length === 1;
  const rows = useMemo(
    () => toRows(lines, { isOfOne, hasOlder: held.hasOlder, launchedAt }),
    [lines, isOfOne, held.hasOlder, launchedAt],
  );
  const [selection, select] = useState<LineSelection>();
  const selected = useMemo(() => selectedLines(lines, selection), [lines, selection]);

  const showAll = () => view.setState({ logs: { ...choice, isFilter: false } });
  const showContext = (id: number) => {
    showAll();
    steps.goTo(id);
  };
  const showPair = ({ traffic }: ShownLine) => {
    const key = traffic?.pairKey;
    if (key === undefined) return;
    if (isFiltering) showAll();
    const here = held.lines.find((line) => line.key === key);
    const found = here === undefined ? log.open(filterOf(wanted), { key }) : Promise.resolve(here.id);
    void found.then((id) => {
      if (id === undefined) return;
      select({ anchor: id, head: id });
      steps.goTo(id);
    });
  };
  const toNewest = () => {
    select(undefined);
    if (wanted.at === undefined) return void log.open(filterOf(wanted));
    view.setState({ pinnedAt: undefined });
  };
  return {
    ...{ wanted, held, log, search, hunt, cancel, steps, isFiltering, lines, isOfOne, rows },
    ...{ selection, select, selected, wraps: choice.wraps, showContext, showPair, toNewest },
  };
}

/** Returns the state of the search in the loaded lines, for the words that the user typed. */
function useLogSearch(lines: readonly ShownLine[]): LogSearchState {
  const [search] = useState(() => createLogSearch(() => performance.now()));
  const { words, isRegex, matchesCase } = useView((state) => state.logs);
  useEffect(() => search.take(lines), [search, lines]);
  useEffect(
    () => search.look({ words: isRegex ? words : words.trim(), isRegex, matchesCase }),
    [search, words, isRegex, matchesCase],
  );
  useEffect(() => () => search.dispose(), [search]);
  return useStore(search.state);
}

interface UsedWindow {
  readonly held: LogWindowState;
  readonly log: LogWindow;
}

/** Returns the loaded part of the log for a query. It is updated while it is shown. */
function useLogWindow(query: LogQuery): UsedWindow {
  const { api, clock } = useServices();
  const [log] = useState(() => new LogWindow(api));
  // The query is compared as JSON text, because the route creates a new object each time even if the query is the same.
  const asked = JSON.stringify(query);
  useEffect(() => {
    const { at, ...rest } = JSON.parse(asked) as LogQuery;
    void log.open(filterOf(rest), at === undefined ? undefined : { at });
  }, [log, asked]);
  useEffect(() => {
    const stopTicking = clock.subscribe(() => void log.tick());
    return () => {
      stopTicking();
      log.dispose();
    };
  }, [log, clock]);
  return { held: useStore(log.state), log };
}

interface UsedHunt {
  readonly hunt: LogHuntState;
  readonly cancel: () => void;
  /** Searches the lines that are not loaded for the next match, and opens the log there. Returns whether that side has lines. */
  readonly beyond: (side: WindowSide, onFound: (id: number) => void) => boolean;
}

/** A search fetches older lines automatically until this many lines are loaded. */
const FILL_LINES = 10_000;

/** Searches for matches in lines that are not loaded. Escape or a change of the query ends the search. */
function useLogHunt(log: LogWindow, search: LogSearchState, query: LogQuery): UsedHunt {
  const { api } = useServices();
  const [hunter] = useState(() => createLogHunt(api));
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
    // The listener uses the capture phase, because Escape would otherwise also empty the search field and leave the view.
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
