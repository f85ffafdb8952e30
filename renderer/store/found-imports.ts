import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Imports } from '../../shared/manage.ts';
import type { ManageApi } from './manage-store.ts';

interface FoundImportsState {
  /** Servers in other MCP clients' files; undefined until a scan has succeeded. */
  readonly imports: Imports | undefined;
}

/** Result of the last scan of other MCP clients' files. */
export interface FoundImports {
  readonly state: StoreApi<FoundImportsState>;
  /**
   * Scans the files once in the lifetime of the page. Never rejects: a failure leaves no result, and the import dialog reports
   * it.
   */
  look(): Promise<void>;
  /** Scans the files again. Never rejects. */
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
