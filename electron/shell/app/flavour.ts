import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a package was made for: `test` can be driven from outside, and says so in its name. A fact of the build, in the
 * package.json inside the archive: no argument, variable or setting makes a release anything else.
 */
export type Flavour = 'release' | 'test';

/** @param appPath the folder or archive of the app. */
export function readFlavour(appPath: string): Flavour {
  const manifest: unknown = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
  const isTest =
    typeof manifest === 'object' && manifest !== null && 'flavour' in manifest && manifest.flavour === 'test';
  return isTest ? 'test' : 'release';
}
