import { posix, win32 } from 'node:path';
import type { ImportEnvironment } from './import-strategy.ts';

/** Returns a path below the home folder, in the syntax of the inspected platform. */
export function inHome({ home, platform }: ImportEnvironment, ...parts: string[]): string {
  return platform === 'win32' ? win32.join(home, ...parts) : posix.join(home, ...parts);
}

/** Returns a path below the folder where apps keep their settings. */
export function inAppFolder(env: ImportEnvironment, ...parts: string[]): string {
  if (env.platform === 'win32') return win32.join(env.appData ?? inHome(env, 'AppData', 'Roaming'), ...parts);
  if (env.platform === 'darwin') return inHome(env, 'Library', 'Application Support', ...parts);
  return posix.join(env.xdgConfigHome ?? inHome(env, '.config'), ...parts);
}

/** Returns the folder of a file, for a path of any platform. */
export function folderOf(path: string): string {
  return path.includes('\\') ? win32.dirname(path) : posix.dirname(path);
}

/** Returns the path of a file in a folder, for a path of any platform. */
export function fileIn(folder: string, name: string): string {
  return folder.includes('\\') ? win32.join(folder, name) : posix.join(folder, name);
}
