import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { consentCalls } from '../../../../shared/ipc/topics/consent.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { pinOf } from '../../consent/installed-version.ts';
import type { OpenedFiles } from '../open-files.ts';
import type { ControlPanelOptions } from '../panel-options.ts';

/** Requests of the app window about consent: the user must agree to server definitions that were written outside the panel. */
export function consentTopic(
  { parentEnvironment: environment, userHome }: ControlPanelOptions,
  { consents, servers: file }: Pick<OpenedFiles, 'consents' | 'servers'>,
) {
  const onDisk = (name: string): ServerConfig => {
    const config = file.current.servers.find((server) => server.name === name);
    if (config === undefined) throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}".`);
    return config;
  };
  const asked = (name: string, digest: string): ServerConfig => {
    const config = onDisk(name);
    if (consents.look(config).digest === digest) return config;
    const message = `The definition of ${name} has changed again since it was shown.`;
    throw new PanelError('CONFIG_CONFLICT', message, { remedy: 'Look at what has changed now.' });
  };
  const findPin = (config: ServerConfig) => pinOf(config, { environment, userHome });
  return {
    /** Returns the definition that waits for consent, as the differences from the earlier one. @throws SERVER_UNKNOWN */
    get: async (name) => {
      const config = onDisk(name);
      const { digest, difference } = consents.look(config);
      const pin = await findPin(config);
      return {
        digest,
        difference: pin ? { ...difference, pin: { package: pin.package, version: pin.version } } : difference,
      };
    },
    /**
     * Records the consent, optionally pinning the package to its installed version. @throws SERVER_UNKNOWN; CONFIG_CONFLICT
     * when another definition is on disk; as `ServersFile.set` for a pin
     */
    agree: async ({ name, digest, pin: isPinned = false }) => {
      const config = asked(name, digest);
      const pin = isPinned ? await findPin(config) : undefined;
      if (isPinned && pin === undefined)
        throw new PanelError('CONFIG_CONFLICT', `No version of the package of ${name} is installed now.`);
      if (pin === undefined) return consents.agreeTo([config], 'window');
      await consents.agreeTo([pin.config], 'window');
      await file.set(name, ['args'], pin.config.args);
    },
    /** Records that the user wants to decide later. @throws as `agree` */
    postpone: async ({ name, digest }) => {
      asked(name, digest);
      await consents.postpone(name, digest);
    },
  } satisfies CallAnswers<typeof consentCalls>;
}
