import { useEffect, useState } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { usePanel } from '../store/services.ts';
import type { ManageApi } from './manage-api.ts';
import type { RawEntry } from './model/raw-entry.ts';

/** What stands in servers.json under a name; neither of the two until it has been read. */
export interface EntryOnDisk {
  readonly entry?: RawEntry;
  /** SERVER_UNKNOWN: nothing stands there. CONFIG_BROKEN: the file cannot be read. */
  readonly error?: ErrorReport;
}

/** Reads the entry, and reads it again whenever the file has changed. Undefined names nothing, and is not read. */
export function useEntry(
  api: Pick<ManageApi, 'getEntry'>,
  server: string | undefined,
): EntryOnDisk & { readonly readAgain: () => void } {
  // Sent anew, and so another object, after every change of the file.
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
