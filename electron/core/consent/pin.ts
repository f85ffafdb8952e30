import { join } from 'node:path';
import { isJsonObject } from '../../../shared/json-object.ts';
import { packageRunOf } from '../../../shared/package-run.ts';
import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { npxFolder } from '../config/moving/copies/command-forms.ts';
import { readRegularFile } from '../files/regular-file.ts';

export interface Pin {
  readonly package: string;
  readonly version: string;
  /** The definition with that version. */
  readonly config: StdioServerConfig;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** The installed version of a package that npx runs at its newest one; undefined where it is not known. Never rejects. */
export async function pinOf(
  config: ServerConfig,
  { environment, userHome }: { environment: Readonly<Record<string, string | undefined>>; userHome: string },
): Promise<Pin | undefined> {
  const run = packageRunOf(config);
  if (config.transport !== 'stdio' || run?.newest === undefined || !/^np[mx]/.test(run.runner))
    return undefined;
  const [name = ''] = run.packages;
  const windows = environment['LOCALAPPDATA'] ?? join(userHome, 'AppData', 'Local');
  const cache =
    environment['npm_config_cache'] ??
    (process.platform === 'win32' ? join(windows, 'npm-cache') : join(userHome, '.npm'));
  const path = join(cache, '_npx', npxFolder(run.newest), 'node_modules', name, 'package.json');
  const version = await versionIn(path);
  if (version === undefined) return undefined;
  const { newest } = run;
  const args = config.args.map((word) =>
    word === newest || word.endsWith(`=${newest}`)
      ? `${word.slice(0, word.length - newest.length)}${name}@${version}`
      : word,
  );
  return { package: name, version, config: { ...config, args } };
}

async function versionIn(path: string): Promise<string | undefined> {
  try {
    const manifest: unknown = JSON.parse((await readRegularFile(path, MAX_MANIFEST_BYTES)).toString());
    const version = isJsonObject(manifest) ? manifest['version'] : undefined;
    return typeof version === 'string' && /^\d[\w.+-]{0,100}$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
