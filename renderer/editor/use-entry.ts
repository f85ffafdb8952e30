import { useEffect, useState } from 'react';
import { toReport } from '../control-panel.ts';
import { usePanel } from '../services.ts';
import type { ManageApi } from '../store/manage-store.ts';
import type { EntryOnDisk } from '../entry/raw-entry.ts';

/** Reads the entry of a server, and reads it again after each change of the file. Does nothing if no server is given. */
export function useEntry(
  api: Pick<ManageApi, 'getEntry'>,
  server: string | undefined,
): EntryOnDisk & { readonly readAgain: () => void } {
  // `config` is a new object after every change of the file, because the main process sends it again.
  const config = usePanel((state) => state.config);
  const [found, setFound] = useState<EntryOnDisk & { readonly server?: string | undefined }>({});
  const [readings, setReadings] = useState(0);
  useEffect(() => {
    if (server === undefined) return;
    let isCurrent = true;
    api.getEntry(server).then(
      ({ entry }) => isCurrent && setFound({ server, entry }),
      (reason: unknown) => isCurrent && setFound({ server, error: toReport(reason) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, server, config, readings]);
  return {
    ...(found.server === server ? found : {}),
    readAgain: () => setReadings((count) => count + 1),
  };
}
