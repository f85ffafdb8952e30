import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ProcessesView } from '../../shared/processes.ts';
import type { ClockStore } from './clock-store.ts';

export interface ProcessesState {
  /** Server whose processes these are; undefined while nobody looks at any. */
  readonly server: string | undefined;
  readonly view: ProcessesView | undefined;
  readonly error: ErrorReport | undefined;
}

/** Processes of the one server whose page shows them. */
export interface ProcessesStore {
  readonly state: StoreApi<ProcessesState>;
  /** Asks now and at every tick of the clock, which pauses with the window. Returns the undo. */
  follow(server: string): () => void;
}

const nothing: ProcessesState = { server: undefined, view: undefined, error: undefined };

export function createProcessesStore(
  getProcesses: (server: string) => Promise<ProcessesView>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): ProcessesStore {
  const state = createStore<ProcessesState>(() => nothing);
  let current: symbol | undefined;

  function follow(server: string): () => void {
    const own = Symbol(server);
    current = own;
    state.setState({ ...nothing, server });
    let isAsking = false;
    const receive = (change: Partial<ProcessesState>) => {
      if (current === own) state.setState(change);
    };

    const ask = () => {
      // One question at a time, because a slow list of processes must not be asked for ever more often.
      if (isAsking) return;
      isAsking = true;
      getProcesses(server)
        .then(
          (view) => receive({ view, error: undefined }),
          (reason: unknown) => receive({ error: toReport(reason) }),
        )
        .finally(() => (isAsking = false));
    };

    const stopTicking = clock.subscribe(ask);
    ask();
    return () => {
      stopTicking();
      if (current !== own) return;
      current = undefined;
      state.setState(nothing);
    };
  }

  return { state, follow };
}
