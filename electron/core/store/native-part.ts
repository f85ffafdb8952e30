import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface System {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Loads the native part of SQLite. The app's bundle calls this function instead of `node-gyp-build`, which needs installed
 * packages. Sources on plain Node use `node-gyp-build`. @param bundle the folder `out` of the app @throws when there is no
 * native part for this system, or it is incompatible
 */
export function loadNativePart(bundle: string): unknown {
  const path = nativePartPath(bundle, process);
  return createRequire(path)(path);
}

/** Returns the path of SQLite's native part: next to `app.asar` in a packaged app, in `node_modules` in a repository checkout. */
export function nativePartPath(bundle: string, { platform, arch }: System): string {
  const app = dirname(bundle);
  if (basename(app) === 'app.asar') return join(dirname(app), 'sqlite', `${platform}_${arch}`, 'sqlite.node');
  const library = join(app, 'node_modules', '@photostructure', 'sqlite');
  return join(library, 'prebuilds', `${platform}-${arch}`, '@photostructure+sqlite.glibc.node');
}
