import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Purpose of a package: `test` can be controlled from outside, and says so in its name. The build sets it in the package.json
 * inside the archive; no argument, variable or setting changes a release.
 */
type Flavour = 'release' | 'test';

/** Reads the flavour of this app. @param appPath folder or archive of the app */
export function readFlavour(appPath: string): Flavour {
  const manifest: unknown = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
  const isTest =
    typeof manifest === 'object' && manifest !== null && 'flavour' in manifest && manifest.flavour === 'test';
  return isTest ? 'test' : 'release';
}
