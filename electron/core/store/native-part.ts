import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface System {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Loads the native part of SQLite. The bundle of the app calls it in place of `node-gyp-build`, which knows no packages
 * without modules; sources that run on plain Node have that one.
 * @param bundle the folder `out` of the app
 * @throws where there is none for this system, or it does not fit
 */
export function loadNativePart(bundle: string): unknown {
  const path = nativePartPath(bundle, process);
  return createRequire(path)(path);
}

/** Beside the archive in a package, in the installed modules of a checkout. */
export function nativePartPath(bundle: string, { platform, arch }: System): string {
  const app = dirname(bundle);
  if (basename(app) === 'app.asar') return join(dirname(app), 'sqlite', `${platform}_${arch}`, 'sqlite.node');
  const library = join(app, 'node_modules', '@photostructure', 'sqlite');
  return join(library, 'prebuilds', `${platform}-${arch}`, '@photostructure+sqlite.glibc.node');
}
