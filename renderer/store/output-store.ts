import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OutputLine } from '../../shared/domain.ts';
import type { ClockStore } from './clock-store.ts';

/** As many as the main process keeps; the oldest go first. */
const MAX_LINES = 2000;

export interface OutputState {
  /** Whose output this is; undefined while nobody reads any. */
  readonly server: string | undefined;
  /** Oldest first. */
  readonly lines: readonly OutputLine[];
  /** False until the first answer. */
  readonly isLoaded: boolean;
}

/** The output of the one server whose logs are open. */
export interface OutputStore {
  readonly state: StoreApi<OutputState>;
  /** Asks for new lines now and at every tick of the clock, which rests with the window. Returns the undo. */
  follow(server: string): () => void;
}

type GetOutput = (server: string, afterId: number) => Promise<readonly OutputLine[]>;

const nothing: OutputState = { server: undefined, lines: [], isLoaded: false };

export function createOutputStore(getOutput: GetOutput, clock: ClockStore): OutputStore {
  const state = createStore<OutputState>(() => nothing);

  function follow(server: string): () => void {
    let isFollowing = true;
    let isAsking = false;
    state.setState({ ...nothing, server });

    const receive = (added: readonly OutputLine[]) => {
      isAsking = false;
      if (!isFollowing) return;
      const { lines, isLoaded } = state.getState();
      if (isLoaded && added.length === 0) return;
      state.setState({ lines: [...lines, ...added].slice(-MAX_LINES), isLoaded: true });
    };
    const ask = () => {
      if (isAsking) return;
      isAsking = true;
      // A failure is answered by the next tick.
      getOutput(server, state.getState().lines.at(-1)?.id ?? 0).then(receive, () => (isAsking = false));
    };

    const stopTicking = clock.subscribe(ask);
    ask();
    return () => {
      isFollowing = false;
      stopTicking();
      if (state.getState().server === server) state.setState(nothing);
    };
  }

  return { state, follow };
}
