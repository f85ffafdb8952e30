import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';

/** What became of a question to the main process whose answer is shown where it was asked. */
export type AskStatus =
  | { readonly phase: 'pending' }
  | { readonly phase: 'done' }
  | { readonly phase: 'failed'; readonly error: ErrorReport };

export interface AskState {
  readonly byKey: Readonly<Record<string, AskStatus>>;
}

export interface AskStore {
  readonly state: StoreApi<AskState>;
  /** Asks, unless the same is being asked already. Never rejects: a failure ends up in the state. */
  run(key: string, ask: () => Promise<unknown>): Promise<void>;
}

export function createAskStore(toReport: (reason: unknown) => ErrorReport): AskStore {
  const state = createStore<AskState>(() => ({ byKey: {} }));
  const put = (key: string, status: AskStatus) =>
    state.setState({ byKey: { ...state.getState().byKey, [key]: status } });

  async function run(key: string, ask: () => Promise<unknown>): Promise<void> {
    if (state.getState().byKey[key]?.phase === 'pending') return;
    put(key, { phase: 'pending' });
    const error = await ask().then(() => undefined, toReport);
    put(key, error === undefined ? { phase: 'done' } : { phase: 'failed', error });
  }

  return { state, run };
}
