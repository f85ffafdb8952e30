import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OutputLine } from '../../shared/domain.ts';
import { toLogLines, type LogLine } from '../format/log-lines.ts';
import type { ClockStore } from './clock-store.ts';

/** Most that is kept while a log is open; the oldest lines go first. The main process keeps fewer for all. */
export const outputCaps = { lines: 10_000, characters: 8 * 1024 * 1024 } as const;

export interface OutputState {
  /** Server whose output this is; undefined while nobody reads any. */
  readonly server: string | undefined;
  /** Output of earlier launches, oldest first; undefined until it is known. */
  readonly earlier: readonly LogLine[] | undefined;
  /** Lines of this launch, oldest first. Each is the same object for as long as it is kept. */
  readonly lines: readonly LogLine[];
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

/** @param caps most that is kept of one server */
export function createOutputStore(
  source: OutputSource,
  clock: ClockStore,
  caps: { readonly lines: number; readonly characters: number } = outputCaps,
): OutputStore {
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
      state.setState({ lines: newest([...lines, ...toLogLines(added, lines.at(-1))], caps), isLoaded: true });
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
      if (isFollowing) state.setState({ earlier: toLogLines(earlier) });
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

/** The newest lines within the caps; the very last one is kept whatever its length. */
function newest(
  lines: readonly LogLine[],
  caps: { readonly lines: number; readonly characters: number },
): readonly LogLine[] {
  let characters = 0;
  let first = lines.length;
  const least = Math.max(0, lines.length - caps.lines);
  while (first > least) {
    characters += lines[first - 1]?.text.length ?? 0;
    if (characters > caps.characters && first < lines.length) break;
    first -= 1;
  }
  return first === 0 ? lines : lines.slice(first);
}
