import { useEffect, useState } from 'react';
import { inContainer, type PackageEngine, type SharedFolder } from '../../shared/container-entry.ts';
import { useEntry } from '../editor/use-entry.ts';
import { usePanel, useServices } from '../services.ts';

/** File or folder that may be shared with a container. */
export interface OfferedFolder extends SharedFolder {
  readonly isShared: boolean;
}

/** What a person chooses for the container of a server, and what becomes of the entry. */
export function useContainerChoice(server: string) {
  const { api } = useServices();
  const { entry, error } = useEntry(api, server);
  const engines = usePanel((state) => state.engines);
  const [engine = engines[0], setEngine] = useState<PackageEngine>();
  const [version, setVersion] = useState<string>();
  const [folders, setFolders] = useState<readonly OfferedFolder[]>([]);
  useEffect(() => {
    // Without an answer, the person names what it needs.
    void api.getContainerNeeds(server).then(
      (needs) => {
        setVersion(needs.version);
        // Files that it was pointed at are shared, but not for writing.
        setFolders(needs.paths.map((path) => ({ path, isShared: true, isWritable: false })));
      },
      () => undefined,
    );
  }, [api, server]);
  const shared = folders.filter(({ isShared }) => isShared);
  const after = entry && engine && inContainer(entry, { server, engine, version, folders: shared });
  const change = entry && after && { before: entry, after };
  return { change, entry, error, engines, engine, setEngine, folders, setFolders };
}
