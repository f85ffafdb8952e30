import { join } from 'node:path';
import { serverKeys } from '../config/server-key.ts';
import { installedVersion } from '../consent/installed-version.ts';
import { Catalogue } from '../gateway/catalogue/catalogue.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';

export interface OpenCatalogueDeps {
  readonly files: Pick<OpenedFiles, 'notice' | 'sessionIds'>;
  readonly fleet: Fleet;
  readonly options: Pick<
    ControlPanelOptions,
    'clock' | 'home' | 'parentEnvironment' | 'userHome' | 'wallClock'
  >;
  readonly signals: Pick<PanelSignals, 'offerChanged'>;
}

/** Builds the catalogue of the servers, with what people accepted of them. */
export function openCatalogue({ files, fleet, options, signals }: OpenCatalogueDeps): Catalogue {
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
