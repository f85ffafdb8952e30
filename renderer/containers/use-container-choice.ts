import { useEffect, useState } from 'react';
import {
  containablePackage,
  inContainer,
  movedEntry,
  type PackageEngine,
  type SharedFolder,
} from '../../shared/container-entry.ts';
import type { RunOn } from '../../shared/panel-settings.ts';
import { nameOfPlace } from '../../shared/run-host.ts';
import { useEntry } from '../editor/use-entry.ts';
import { entryValueAt, isSameJson } from '../entry/raw-entry.ts';
import { usePanel, useServices } from '../services.ts';

/** File or folder that may be shared with a container. */
export interface OfferedFolder extends SharedFolder {
  readonly isShared: boolean;
}

/** Where the user wants the server to run: on another engine, on this machine, or at an address that is still being typed. */
type ChosenPlace = RunOn | 'here' | { readonly address: string };

/** Name of a place for display; undefined for an address that is still being typed. */
export function placeName(place: ChosenPlace): string | undefined {
  if (place === 'here') return 'this machine';
  return 'address' in place ? undefined : nameOfPlace(place);
}

/**
 * Keeps what the user chooses for the container of a server, and returns the resulting change of the entry. @param isMove true
 * if the server is moved to another engine, or back
 */
export function useContainerChoice(server: string, isMove: boolean) {
  const { api } = useServices();
  const { entry, error } = useEntry(api, server);
  const engines = usePanel((state) => state.engines);
  const words = usePanel((state) => state.servers.get(server)?.target) ?? '';
  const [engine = engines[0], setEngine] = useState<PackageEngine>();
  const [version, setVersion] = useState<string>();
  const [folders, setFolders] = useState<readonly OfferedFolder[]>([]);
  const [found, setFound] = useState<readonly RunOn[]>([]);
  const [chosen, setPlace] = useState<ChosenPlace>();
  const isPackage = containablePackage(words.split(' ')) !== undefined;
  useEffect(() => {
    // If this call fails, the user enters the needed paths.
    void api.getContainerNeeds(server).then(
      (needs) => {
        setVersion(needs.version);
        // Paths in the arguments of a package are shared read-only. Paths in the arguments of another image are not shared,
        // because they belong to the image.
        setFolders(needs.paths.map((path) => ({ path, isShared: isPackage, isWritable: false })));
        setFound(needs.places);
      },
      () => undefined,
    );
  }, [api, server, isPackage]);
  const now = entry && entryValueAt(entry, 'panel.runOn');
  const others = found.filter((one) => !isSameJson(one, now));
  const places: readonly ChosenPlace[] = [
    ...(now !== undefined && engine ? ['here' as const] : []),
    ...others,
  ];
  const place: ChosenPlace = chosen ?? places[0] ?? { address: '' };
  const shared = folders.filter(({ isShared }) => isShared);
  const choice = { server, engine: engine ?? 'docker', version, folders: shared };
  const after = entry && (isMove ? moved(entry, place, choice) : engine && inContainer(entry, choice));
  const change = entry && after && { before: entry, after };
  return {
    ...{ change, entry, error, engines, engine, setEngine, folders, setFolders },
    ...{ place, places, setPlace },
  };
}

function moved(
  entry: Parameters<typeof movedEntry>[0],
  chosen: ChosenPlace,
  choice: Parameters<typeof inContainer>[1],
) {
  if (chosen === 'here') return movedEntry(entry, choice);
  if (!('address' in chosen)) return movedEntry(entry, { ...choice, place: chosen });
  const host = chosen.address.trim();
  const isAddress = /^(?:ssh|tcp|unix):\/\/[^\s]+$/.test(host);
  return isAddress ? movedEntry(entry, { ...choice, place: { engine: 'docker', host } }) : undefined;
}
