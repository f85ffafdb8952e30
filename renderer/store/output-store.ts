import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OutputLine } from '../../shared/domain.ts';
import type { ClockStore } from './clock-store.ts';

/** Most lines kept, as many as in the main process; the oldest go first. */
const MAX_LINES = 2000;

export interface OutputState {
  /** Server whose output this is; undefined while nobody reads any. */
  readonly server: string | undefined;
  /** Output of earlier launches, oldest first; undefined until it is known. */
  readonly earlier: readonly OutputLine[] | undefined;
  /** Lines of this launch, oldest first. */
  readonly lines: readonly OutputLine[];
  /** Whether the first answer is there. */
  readonly isLoaded: boolean;
}

/** Output of the one server whose logs are open. */
export interface OutputStore {
  readonly state: StoreApi<OutputState>;
  /**
   * Asks for new lines now and at every tick of the clock, which pauses with the window. Returns the undo.
   */
  follow(server: string): () => void;
}

interface OutputSource {
  getOutput(server: string, afterId: number): Promise<readonly OutputLine[]>;
  getEarlierOutput(server: string): Promise<readonly OutputLine[]>;
}

const nothing: OutputState = { server: undefined, earlier: undefined, lines: [], isLoaded: false };

export function createOutputStore(source: OutputSource, clock: ClockStore): OutputStore {
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
      // A failed request is repeated by the next tick.
      source
        .getOutput(server, state.getState().lines.at(-1)?.id ?? 0)
        .then(receive, () => (isAsking = false));
    };

    const receiveEarlier = (earlier: readonly OutputLine[]) => {
      if (isFollowing) state.setState({ earlier });
    };
    // Earlier output is asked for once because it stays the same on disk; a failure counts as none.
    source.getEarlierOutput(server).then(receiveEarlier, () => receiveEarlier([]));

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
