import type { ConsentDifference } from '../../../../shared/consent.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { Agreed, consentCalls } from '../../../../shared/ipc/topics/consent.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { ServersFile } from '../../config/servers-file.ts';
import type { Consents } from '../../consent/consents.ts';
import { pinOf } from '../../consent/installed-version.ts';

export interface ConsentTopicOptions {
  readonly consents: Consents;
  readonly file: ServersFile;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/** Consent to definitions that came from outside. */
export class ConsentTopic implements CallAnswers<typeof consentCalls> {
  readonly #options: ConsentTopicOptions;

  constructor(options: ConsentTopicOptions) {
    this.#options = options;
  }

  /** @throws SERVER_UNKNOWN */
  async get(name: string): Promise<{ digest: string; difference: ConsentDifference }> {
    const config = this.#onDisk(name);
    const { digest, difference } = this.#options.consents.look(config);
    const pin = await this.#pin(config);
    return {
      digest,
      difference: pin ? { ...difference, pin: { package: pin.package, version: pin.version } } : difference,
    };
  }

  /** @throws SERVER_UNKNOWN; CONFIG_CONFLICT when another definition is on disk; as `ServersFile.set` for a pin */
  async agree({
    name,
    digest,
    pin: isPinned = false,
  }: Agreed & { pin?: boolean | undefined }): Promise<void> {
    const { consents, file } = this.#options;
    const config = this.#asked(name, digest);
    const pin = isPinned ? await this.#pin(config) : undefined;
    if (isPinned && pin === undefined)
      throw new PanelError('CONFIG_CONFLICT', `No version of the package of ${name} is installed any more.`);
    if (pin === undefined) return consents.agreeTo([config], 'window');
    await consents.agreeTo([pin.config], 'window');
    await file.set(name, ['args'], pin.config.args);
  }

  /** @throws as `agree` */
  async postpone({ name, digest }: Agreed): Promise<void> {
    this.#asked(name, digest);
    await this.#options.consents.postpone(name, digest);
  }

  #onDisk(name: string): ServerConfig {
    const config = this.#options.file.current.servers.find((server) => server.name === name);
    if (config === undefined) throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}".`);
    return config;
  }

  #asked(name: string, digest: string): ServerConfig {
    const config = this.#onDisk(name);
    if (this.#options.consents.look(config).digest === digest) return config;
    throw new PanelError(
      'CONFIG_CONFLICT',
      `The definition of ${name} has changed again since it was shown.`,
      {
        remedy: 'Look at what has changed now.',
      },
    );
  }

  #pin(config: ServerConfig) {
    const { environment, userHome } = this.#options;
    return pinOf(config, { environment, userHome });
  }
}
