import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ProcessesView } from '../../shared/processes.ts';
import type { ClockStore } from './clock-store.ts';
import { followServer } from './follow-server.ts';

export interface ProcessesState {
  /** Server whose processes are in `view`; undefined while no page shows any. */
  readonly server: string | undefined;
  readonly view: ProcessesView | undefined;
  readonly error: ErrorReport | undefined;
}

/** Processes of the one server whose page shows them. */
export interface ProcessesStore {
  readonly state: StoreApi<ProcessesState>;
  /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
  follow(server: string): () => void;
}

const nothing: ProcessesState = { server: undefined, view: undefined, error: undefined };

export function createProcessesStore(
  getProcesses: (server: string) => Promise<ProcessesView>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): ProcessesStore {
  const state = createStore<ProcessesState>(() => nothing);
  const ask = (server: string): Promise<Partial<ProcessesState>> =>
    getProcesses(server).then(
      (view) => ({ view, error: undefined }),
      (reason: unknown) => ({ error: toReport(reason) }),
    );
  return { state, follow: followServer({ state, nothing, ask, clock }).follow };
}
