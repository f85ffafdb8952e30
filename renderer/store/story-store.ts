import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { RestartStory, StoryQuery } from '../../shared/restart-story.ts';
import { toReport } from '../control-panel.ts';
import type { ClockStore } from './clock-store.ts';
import type { Span } from '../../shared/history.ts';
import { KEPT_MS } from '../../shared/retention.ts';

interface StoryState {
  /** Server whose restart history is in `story`; undefined while no page shows a restart history. */
  readonly server: string | undefined;
  readonly isTroubleOnly: boolean;
  /** All loaded pages, joined; undefined until a page has loaded. */
  readonly story: RestartStory | undefined;
  readonly error: ErrorReport | undefined;
  readonly isAskingOlder: boolean;
}

const PAGE = 50;
/** Clock ticks (seconds) until `refresh` sends its second request. */
const LATER_TICKS = 3;

const nothing: StoryState = {
  server: undefined,
  isTroubleOnly: false,
  story: undefined,
  error: undefined,
  isAskingOlder: false,
};

export type StoryStore = ReturnType<typeof createStoryStore>;

/** Creates the store with the restart history of the server whose page is shown. */
export function createStoryStore(getStory: (query: StoryQuery) => Promise<RestartStory>, clock: ClockStore) {
  const state = createStore<StoryState>(() => nothing);
  let asked = 0;
  let ticksLeft = 0;

  /** Requests a page. An answer to an earlier request is ignored, because it is outdated or for another server. */
  function ask(before?: string): void {
    const { server } = state.getState();
    if (server === undefined) return;
    asked += 1;
    const own = asked;
    const receive = (change: Partial<StoryState>) => {
      if (own === asked) state.setState({ ...change, isAskingOlder: false });
    };
    getStory(queryOf(state.getState(), server, clock.getState().now, before)).then(
      (story) => receive({ story: joined(state.getState().story, story, before), error: undefined }),
      (reason: unknown) => receive({ error: toReport(reason) }),
    );
  }

  return {
    state,
    /** Loads the history now, and again on `refresh`. Returns the unsubscribe function. */
    follow: (server: string): (() => void) => {
      state.setState({ ...nothing, server });
      ask();
      const stop = clock.subscribe(() => {
        if (ticksLeft > 0 && (ticksLeft -= 1) === 0) ask();
      });
      return () => {
        stop();
        if (state.getState().server !== server) return;
        asked += 1;
        ticksLeft = 0;
        state.setState(nothing);
      };
    },
    /** Loads the history now because the server had an event, and again soon after, because events arrive in batches. */
    refresh: () => {
      ticksLeft = LATER_TICKS;
      ask();
    },
    setTroubleOnly: (isTroubleOnly: boolean) => {
      state.setState({ isTroubleOnly, story: undefined, isAskingOlder: false });
      ask();
    },
    /** Loads the page of run ends before the oldest loaded run end; does nothing while a page is loading. */
    askOlder: () => {
      const { story, isAskingOlder } = state.getState();
      const oldest = story?.ends.at(-1);
      if (isAskingOlder || oldest === undefined) return;
      state.setState({ isAskingOlder: true });
      ask(oldest.id);
    },
  };
}

const queryOf = (
  { isTroubleOnly }: StoryState,
  server: string,
  now: number,
  before: string | undefined,
): StoryQuery => ({
  server,
  ...keptSpan(now),
  limit: PAGE,
  isTroubleOnly,
  ...(before !== undefined && { before }),
});

/** Joins a page to the loaded pages. Older pages stay valid because settled run ends do not change. */
function joined(
  known: RestartStory | undefined,
  story: RestartStory,
  before: string | undefined,
): RestartStory {
  if (known === undefined) return story;
  if (before !== undefined) return { ...story, ends: [...known.ends, ...story.ends] };
  const last = story.ends.at(-1);
  const met = last === undefined ? -1 : known.ends.findIndex(({ id }) => id === last.id);
  if (met === -1) return story;
  const older = known.ends.slice(met + 1);
  return {
    ...story,
    ends: [...story.ends, ...older],
    hasMore: older.length > 0 ? known.hasMore : story.hasMore,
  };
}

/**
 * Milliseconds by which queries extend into the future, because the clock may have been set back slightly since the last event.
 */
const AHEAD_MS = 60_000;

/** Returns the time span in which the history may have events. */
const keptSpan = (now: number): Span => ({ from: Math.max(0, now - KEPT_MS), to: now + AHEAD_MS });
