import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ImportEnvironment } from '../../../../electron/core/config/programs/environment.ts';

/** Machine on which one client was used: the files of `test/fixtures/homes/<client>` lie below its home. */
export interface FixtureHome {
  readonly env: ImportEnvironment;
  /** Reads a file; undefined where it is absent. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

export function fixtureHome(client: string, env: ImportEnvironment): FixtureHome {
  const folder = fileURLToPath(new URL(`../../../fixtures/homes/${client}`, import.meta.url));
  return {
    env,
    readFile: (path) => readFile(path.replace(env.home, folder), 'utf8').catch(() => undefined),
  };
}

export const linuxHome: ImportEnvironment = { home: '/home/ada', platform: 'linux' };
export const macHome: ImportEnvironment = { home: '/Users/ada', platform: 'darwin' };
