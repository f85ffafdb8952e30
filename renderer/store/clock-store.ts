import { createStore, type StoreApi } from 'zustand/vanilla';

interface ClockState {
  /** Time of the last tick, in epoch ms. */
  readonly now: number;
}

export type ClockStore = StoreApi<ClockState>;

interface TickSource {
  readonly now: () => number;
  /** Calls `tick` every second; returns the function that stops it. */
  readonly everySecond: (tick: () => void) => () => void;
  readonly isVisible: () => boolean;
  readonly onVisibilityChange: (listener: () => void) => () => void;
}

/** Creates the only clock of the app window. It updates every relative time on screen, and there are no other timers. */
export const createClockStore = (now: () => number): ClockStore =>
  createStore<ClockState>(() => ({ now: now() }));

/** Updates the clock once a second while the document is visible. Returns the function that stops the clock. */
export function startTicking(store: ClockStore, source: TickSource): () => void {
  let stop: (() => void) | undefined;
  const tick = () => store.setState({ now: source.now() });
  const follow = () => {
    stop?.();
    stop = undefined;
    if (!source.isVisible()) return;
    tick();
    stop = source.everySecond(tick);
  };
  const stopListening = source.onVisibilityChange(follow);
  follow();
  return () => {
    stopListening();
    stop?.();
    stop = undefined;
  };
}
