import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Imports } from '../../shared/manage.ts';
import type { ManageApi } from './manage-api.ts';

export interface FoundImportsState {
  /** What other clients have; undefined until somebody has looked. */
  readonly imports: Imports | undefined;
}

/** What the files of other clients offered at the last look. */
export interface FoundImports {
  readonly state: StoreApi<FoundImportsState>;
  /** Looks once while the page lives. Never rejects: a failure offers nothing, because the import itself says why. */
  look(): Promise<void>;
  /** Looks anew. Never rejects. */
  lookAgain(): Promise<void>;
}

export function createFoundImports(api: Pick<ManageApi, 'findImports'>): FoundImports {
  const state = createStore<FoundImportsState>(() => ({ imports: undefined }));
  let looking: Promise<void> | undefined;
  const lookAgain = () =>
    (looking = api.findImports().then(
      (imports) => state.setState({ imports }),
      () => undefined,
    ));
  return { state, look: () => looking ?? lookAgain(), lookAgain };
}
