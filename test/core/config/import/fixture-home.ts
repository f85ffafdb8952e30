import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ImportEnvironment } from '../../../../electron/core/config/import/import-strategy.ts';

/** A machine on which one client was used: what stands in `test/fixtures/homes/<client>` stands below its home. */
export interface FixtureHome {
  readonly env: ImportEnvironment;
  /** Undefined for a file that is not there. */
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
