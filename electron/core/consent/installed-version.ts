import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isJsonObject } from '../../../shared/json-object.ts';
import { packageRunOf } from '../../../shared/package-run.ts';
import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { npxFolder } from '../config/moving/copies/command-forms.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { programFinder } from '../platform/find-program.ts';

/** The machine's variables, and the user's home folder. */
export interface InstallPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Maximum number of folders above a program that are searched for its package.json. */
const MAX_PARENTS = 6;

/**
 * Returns the version of the package that a definition runs, from its installed package.json; undefined if there is none, as
 * for a binary. The version that a server reports about itself is not used here. Never rejects.
 */
export async function installedVersion(
  config: ServerConfig,
  places: InstallPlaces,
): Promise<string | undefined> {
  if (config.transport !== 'stdio') return undefined;
  const fromNpx = await npxVersion(config, places);
  if (fromNpx !== undefined) return fromNpx.version;
  if (packageRunOf(config) !== undefined) return undefined;
  const program = await programFinder(process.platform)({
    command: config.command,
    path: places.environment['PATH'],
    cwd: config.cwd ?? places.userHome,
  }).catch(() => undefined);
  const file = program && 'file' in program ? program.file : undefined;
  // The script comes before the program, because a script's package is more specific than that of the interpreter that runs it.
  for (const path of [...config.args.filter(isAbsolute), ...(file === undefined ? [] : [file])]) {
    const version = await versionAbove(path);
    if (version !== undefined) return version;
  }
  return undefined;
}

/**
 * Returns the version that npx has in its cache, for a definition that asks npx for the newest version of a package; undefined
 * for other definitions, or if the cache has none.
 */
export async function npxVersion(
  config: ServerConfig,
  { environment, userHome }: InstallPlaces,
): Promise<{ readonly name: string; readonly version: string; readonly newest: string } | undefined> {
  const run = packageRunOf(config);
  if (run?.newest === undefined || !/^np[mx]/.test(run.runner)) return undefined;
  const [name = ''] = run.packages;
  const { newest } = run;
  const windows = environment['LOCALAPPDATA'] ?? join(userHome, 'AppData', 'Local');
  const cache =
    environment['npm_config_cache'] ??
    (process.platform === 'win32' ? join(windows, 'npm-cache') : join(userHome, '.npm'));
  const version = await versionIn(
    join(cache, '_npx', npxFolder(newest), 'node_modules', name, 'package.json'),
  );
  return version === undefined ? undefined : { name, version, newest };
}

/** Returns the version from the nearest package.json above a program, after its links are resolved. */
async function versionAbove(path: string): Promise<string | undefined> {
  let folder = dirname(await realpath(path).catch(() => path));
  for (let above = 0; above < MAX_PARENTS && folder !== dirname(folder); above += 1) {
    const version = await versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
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

interface Pin {
  readonly package: string;
  readonly version: string;
  /** The definition, changed so that it runs exactly this version. */
  readonly config: StdioServerConfig;
}

/**
 * For a definition that asks npx for the newest version of a package: returns the version in the npx cache and the definition
 * pinned to it; undefined if there is no such version. Never rejects.
 */
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
