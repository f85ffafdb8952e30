import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageApp } from '../../../scripts/lib/package-app.mjs';
import { checkoutCache, inModules } from '../../../scripts/lib/paths.mjs';

/** The Electron that a release for this system would hold. */
const VERSION = String(JSON.parse(readFileSync(inModules('electron', 'package.json'), 'utf8')).version);

/**
 * Packs the built app for another system around an Electron that holds only what a packager looks at.
 * @param {{ system: 'win' | 'mac', executable: string, create: (dist: string) => void }} stub `executable`: where the
 *   fuses lie in the unpacked Electron
 * @returns the file that carries the fuses (on macOS the app) and the archive
 */
export async function packStub({ system, executable, create }) {
  const folder = join(checkoutCache, 'packages', `stub-${system}`);
  const dist = join(folder, 'electron');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  create(dist);
  const [app] = await packageApp({
    isTest: false,
    isRelease: true,
    output: join(folder, 'out'),
    builderArguments: [`--${system}`, 'dir', '--x64'],
    given: { distPath: dist, executablePath: join(dist, executable), version: VERSION, isFallback: false },
  });
  if (app === undefined) throw new Error(`nothing was packed for ${system}`);
  return app;
}
