import { posix, win32 } from 'node:path';
import type { ImportEnvironment } from './environment.ts';

/** Joins the parts of a path in the syntax of the inspected platform. */
export function joinPath({ platform }: ImportEnvironment, ...parts: string[]): string {
  return platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

/** Returns a path below the home folder. */
export function inHome(env: ImportEnvironment, ...parts: string[]): string {
  return joinPath(env, env.home, ...parts);
}

/** Returns a path below the folder where apps keep their settings. */
export function inAppFolder(env: ImportEnvironment, ...parts: string[]): string {
  if (env.platform === 'win32') return win32.join(env.appData ?? inHome(env, 'AppData', 'Roaming'), ...parts);
  if (env.platform === 'darwin') return inHome(env, 'Library', 'Application Support', ...parts);
  return inConfigFolder(env, ...parts);
}

/** Returns a path below ~/.config, which some programs use on every system. */
export function inConfigFolder(env: ImportEnvironment, ...parts: string[]): string {
  return joinPath(env, env.xdgConfigHome ?? inHome(env, '.config'), ...parts);
}

/** Returns the folders in `folder`, as whole paths. */
export function foldersIn(env: ImportEnvironment, folder: string): readonly string[] {
  return (env.foldersIn?.(folder) ?? []).map((name) => joinPath(env, folder, name));
}

/** Returns the path of a file in a folder, for a path of any platform. */
export function fileIn(folder: string, name: string): string {
  return folder.includes('\\') ? win32.join(folder, name) : posix.join(folder, name);
}
