import type { PanelStore } from '../store/panel-store.ts';
import type { Route, RouteStore } from '../store/route-store.ts';
import type { ClockStore } from '../store/clock-store.ts';

/** Lifetime of a note in seconds of a visible app window: enough to read a line and to undo. */
export const NOTE_SECONDS = 10;

interface NoteEndOptions {
  readonly clock: ClockStore;
  readonly route: RouteStore;
  readonly panel: PanelStore;
  /** Whether the pointer or the focus is in the note. */
  readonly isHeld: () => boolean;
  readonly end: () => void;
}

/**
 * Ends a note after some seconds, and when the view is left. While the user holds the note, the time does not run, and it
 * restarts afterwards. Returns a function that stops the ending.
 */
export function letNoteEnd({ clock, route, panel, isHeld, end }: NoteEndOptions): () => void {
  let seconds = 0;
  let from = route.getState().route;
  const stopClock = clock.subscribe(() => {
    seconds = isHeld() ? 0 : seconds + 1;
    if (seconds >= NOTE_SECONDS) end();
  });
  const stopRoute = route.subscribe(({ route: to }) => {
    // The page of a removed server closes by itself, which does not mean that the user left the view.
    const isPageGone = from.view === 'server' && !panel.getState().servers.has(from.name);
    if (!isPageGone && !isSameView(from, to)) end();
    from = to;
  });
  return () => {
    stopClock();
    stopRoute();
  };
}

/** Whether two routes show the same view. The tabs of a server count as one. */
function isSameView(one: Route, other: Route): boolean {
  if (one.view === 'server' && other.view === 'server') return one.name === other.name;
  return one.view === other.view;
}
