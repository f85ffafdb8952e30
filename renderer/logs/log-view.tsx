import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ShownLine } from '../format/log-lines.ts';
import { everyLogLine } from '../format/log-choice.ts';
import { colourOf } from '../format/server-colours.ts';
import { useColours, usePanel, useServices, useView } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import { initialSpan } from '../store/span-choice.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { everyLine, type LineSelection, selectedLines } from './line-selection.ts';
import { LogBar } from './log-bar.tsx';
import { LogFilters, useLogTime } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { toRows } from './log-rows.ts';
import { LogStatus } from './log-status.tsx';
import { useHitSteps } from './use-hit-steps.ts';
import { createLogSearch, type LogSearchState } from './log-search.ts';
import { LogWindow, type LogWindowState, type WindowSide } from './log-window.ts';
import { TextButton } from '../ui/text-button.tsx';
import { createLogHunt, type LogHuntState } from './log-hunt.ts';

interface LogViewProps {
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
  /** Server whose page shows the log; absent if all servers are shown. */
  readonly server?: string;
  /** Heading of the view. */
  readonly children?: ReactNode;
}

/** Live lines of one server or of all: filtered, searched, selected, copied. */
export function LogView(props: LogViewProps) {
  const { query, onQuery, server, children } = props;
  const names = usePanel((state) => state.names);
  const colours = useColours();
  const shown = useShownLog(props);
  const { wanted, held, log, search, steps, isFiltering, lines, isOfOne, selected } = shown;
  const near = useCallback((side: 'older' | 'newer') => void log.more(side), [log]);
  return (
    <section
      className="flex flex-col flex-[1_0_240px] min-h-0"
      aria-label={server === undefined ? 'Logs of all servers' : `Logs of ${server}`}
    >
      <LogBar
        {...{ search, steps, selected, isOfOne }}
        shown={lines}
        query={wanted}
        isPart={held.hasOlder || held.hasNewer}
      >
        {children}
      </LogBar>
      <LogFilters query={query} onQuery={onQuery} server={server} names={names} />
      {held.problem !== undefined && <ErrorNote error={held.problem} server={server ?? ''} lead="Logs" />}
      <LogStatus
        {...{ held, search, selected }}
        hunt={shown.hunt}
        onCancel={shown.cancel}
        onShowPair={shown.showPair}
      />
      <LogList
        {...{ held, lines, search }}
        rows={shown.rows}
        filterKey={isFiltering ? JSON.stringify(search.answers) : ''}
        onNear={near}
        onFollow={log.follow}
        onNewest={shown.toNewest}
        {...(!isOfOne && { colourOf: (name: string | null) => colourOf(name ?? undefined, colours) })}
        wraps={shown.wraps}
        target={steps.target}
        selection={shown.selection}
        onSelect={shown.select}
        onSelectAll={() => shown.select(everyLine(lines))}
        onShowPair={shown.showPair}
        onStep={steps.step}
        {...(isFiltering && { onShowContext: shown.showContext })}
      >
        <LogEmpty {...{ held, search, query, onQuery, server }} shown={lines.length} />
      </LogList>
    </section>
  );
}

/** State of the lines for a query: searched, filtered by the search, selected. */
function useShownLog({ query, server }: LogViewProps) {
  const { view } = useServices();
  const time = useLogTime();
  const wanted = useMemo(
    () => ({ ...query, ...time, ...(server !== undefined && { servers: [server] }) }),
    [query, time, server],
  );
  const { held, log } = useLogWindow(wanted);
  const launchedAt = usePanel(({ events }) => events.findLast(({ kind }) => kind === 'panel-started')?.at);
  const choice = useView((state) => state.logs);
  const search = useLogSearch(held.lines);
  const { hunt, cancel, beyond } = useLogHunt(log, search, wanted);
  const steps = useHitSteps(search, beyond);
  // The filter is the one whose search has finished, because `hits` belong to it.
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

/** Returns the state of this page's search over the lines. */
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

/** Returns the part of the log that the page holds for a query, updated while it is shown. */
function useLogWindow(query: LogQuery): UsedWindow {
  const { api, clock } = useServices();
  const [log] = useState(() => new LogWindow(api));
  // The query is compared as text, because a route creates a new object for the same query.
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

interface LogEmptyProps {
  readonly held: LogWindowState;
  readonly search: LogSearchState;
  /** Number of lines shown. */
  readonly shown: number;
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
  readonly server: string | undefined;
}

/** Reason why a log shows no lines, with an action that helps. */
function LogEmpty({ held, search, shown, query, onQuery, server }: LogEmptyProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  const isTimed = useView(({ span }) => span.choice.kind === 'still' || span.choice.spanMs !== undefined);
  if (shown > 0 || held.problem !== undefined) return null;
  if (!held.isLoaded) return <Empty>Reading the logs…</Empty>;
  if (held.lines.length === 0) {
    if (Object.keys(query).length === 0 && !isTimed) return <Empty>{nothingWords(server)}</Empty>;
    return (
      <Empty>
        No lines match these filters.{' '}
        <TextButton
          look="link"
          onClick={() => {
            view.setState({ span: initialSpan, pinnedAt: undefined });
            onQuery({});
          }}
        >
          Show every line
        </TextButton>
      </Empty>
    );
  }
  if (!search.isDone || held.fetching !== undefined) return null;
  const { wraps, words: typed, isRegex } = choice;
  const words = typed.trim();
  return (
    <Empty>
      There is no line {isRegex ? `that matches /${words}/` : `with “${words}” in it`}
      {held.hasOlder ? ' among the newest. Enter searches the earlier ones.' : '.'}{' '}
      <TextButton look="link" onClick={() => view.setState({ logs: { ...everyLogLine, wraps } })}>
        Show all lines
      </TextButton>
    </Empty>
  );
}

const Empty = ({ children }: { readonly children: ReactNode }) => (
  <p className="py-8 px-16 text-dim">{children}</p>
);

const nothingWords = (server: string | undefined): string =>
  server === undefined
    ? 'Nothing has been logged yet. What servers write to stderr, their log messages, and each message of MCP appear here.'
    : 'This server has logged nothing yet. What it writes to stderr, its log messages, and each message of MCP appear here.';

interface UsedHunt {
  readonly hunt: LogHuntState;
  readonly cancel: () => void;
  /** Searches for the next match outside the held lines and shows it; returns whether there are lines outside. */
  readonly beyond: (side: WindowSide, onFound: (id: number) => void) => boolean;
}

/** Number of held lines from which a search no longer fetches older lines by itself. */
const FILL_LINES = 10_000;

/** Search beyond the lines that the page holds. It ends with Escape, or when the query changes. */
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
