import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { npxVersion, type InstallPlaces } from './installed-version.ts';

export interface Pin {
  readonly package: string;
  readonly version: string;
  /** The definition with that version. */
  readonly config: StdioServerConfig;
}

/** The installed version of a package that npx runs at its newest one; undefined where it is not known. Never rejects. */
export async function pinOf(config: ServerConfig, places: InstallPlaces): Promise<Pin | undefined> {
  const installed = await npxVersion(config, places);
  if (config.transport !== 'stdio' || !installed) return undefined;
  const { name, version, newest } = installed;
  const args = config.args.map((word) =>
    word === newest || word.endsWith(`=${newest}`)
      ? `${word.slice(0, word.length - newest.length)}${name}@${version}`
      : word,
  );
  return { package: name, version, config: { ...config, args } };
}
