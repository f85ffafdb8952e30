import { createStore } from 'zustand/vanilla';
import type { Imports } from '../../shared/manage.ts';
import type { ManageApi } from './manage-store.ts';

interface FoundImportsState {
  /** Servers found in the files of other MCP clients; undefined until a scan has succeeded. */
  readonly imports: Imports | undefined;
}

export type FoundImports = ReturnType<typeof createFoundImports>;

/**
 * Creates the store for the result of the last scan of other MCP clients' files. A failed scan leaves no result, and the import
 * dialog reports the failure.
 */
export function createFoundImports(api: Pick<ManageApi, 'findImports'>) {
  const state = createStore<FoundImportsState>(() => ({ imports: undefined }));
  let looking: Promise<void> | undefined;
  const lookAgain = (): Promise<void> =>
    (looking = api.findImports().then(
      (imports) => state.setState({ imports }),
      () => undefined,
    ));
  return {
    state,
    /** Scans the files once per lifetime of the page. Never rejects. */
    look: () => looking ?? lookAgain(),
    /** Scans the files again. Never rejects. */
    lookAgain,
  };
}
