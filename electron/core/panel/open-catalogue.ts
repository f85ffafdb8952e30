import { join } from 'node:path';
import { serverKeys } from '../config/server-key.ts';
import { installedVersion } from '../consent/installed-version.ts';
import { Catalogue } from '../gateway/catalogue/catalogue.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/** Builds the catalogue of the servers, with what people accepted of them. */
export function openCatalogue({ files, fleet, options, signals }: GatewayDeps): Catalogue {
  const { clock, wallClock, parentEnvironment: environment, userHome } = options;
  const { notice } = files;
  const keyOf = serverKeys();
  return new Catalogue({
    ...{ clock, wallClock, notice },
    folder: join(options.home, 'catalogue'),
    agreedFolder: join(options.home, 'agreed'),
    installedOf: async (key) => {
      const config = fleet.supervisors.find((server) => keyOf(server.config) === key)?.config;
      return config && installedVersion(config, { environment, userHome });
    },
    onAgreedChanged: (key) => {
      for (const { config, name } of fleet.supervisors)
        if (keyOf(config) === key) signals.offerChanged.emit(name);
    },
    nameOf: (key) => files.sessionIds.nameOf(key),
  });
}
