import { createStore, type StoreApi } from 'zustand/vanilla';

export interface ClockState {
  /** Epoch milliseconds of the last tick. */
  readonly now: number;
}

export type ClockStore = StoreApi<ClockState>;

export interface TickSource {
  readonly now: () => number;
  /** Calls `tick` every second until undone. */
  readonly everySecond: (tick: () => void) => () => void;
  readonly isVisible: () => boolean;
  readonly onVisibilityChange: (listener: () => void) => () => void;
}

/**
 * Clock of the window, the only one: every relative time on screen follows it, and nobody else keeps a timer.
 */
export const createClockStore = (now: () => number): ClockStore =>
  createStore<ClockState>(() => ({ now: now() }));

/** Ticks once a second while the document is visible. Returns the undo. */
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
