import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Purpose of a package. A `test` package can be controlled from outside, and its name says so. The build sets the purpose in
 * the package.json inside the archive; no argument, variable or setting can change it for a release.
 */
type Flavour = 'release' | 'test';

/** Reads from the package.json whether this app is a release or a test package. @param appPath folder or archive of the app */
export function readFlavour(appPath: string): Flavour {
  const manifest: unknown = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
  const isTest =
    typeof manifest === 'object' && manifest !== null && 'flavour' in manifest && manifest.flavour === 'test';
  return isTest ? 'test' : 'release';
}
