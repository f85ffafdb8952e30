import { posix, win32 } from 'node:path';
import type { ImportEnvironment } from './environment.ts';

/** Joins the parts of a path in the syntax of the inspected platform. */
export function joinPath({ platform }: ImportEnvironment, ...parts: string[]): string {
  return platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

/**
 * Folders that the first part of a path can denote: the home folder (`~`), the folder in which apps keep their settings
 * (`<app>`), and ~/.config (`<config>`), which some programs use on every system.
 */
const BASES: ReadonlyMap<string, (env: ImportEnvironment) => string> = new Map([
  ['~', ({ home }) => home],
  ['<app>', appFolder],
  ['<config>', configFolder],
]);

/** Returns the full path of `~/…`, `<app>/…` or `<config>/…`, always written with slashes. Only normalizes any other path. */
export function pathIn(env: ImportEnvironment, path: string): string {
  const [base = '', ...parts] = path.split('/');
  const folder = BASES.get(base)?.(env);
  return folder === undefined ? joinPath(env, path) : joinPath(env, folder, ...parts);
}

function appFolder(env: ImportEnvironment): string {
  if (env.platform === 'win32') return env.appData ?? pathIn(env, '~/AppData/Roaming');
  return env.platform === 'darwin' ? pathIn(env, '~/Library/Application Support') : configFolder(env);
}

function configFolder(env: ImportEnvironment): string {
  return env.xdgConfigHome ?? pathIn(env, '~/.config');
}

/** Returns the folders in `folder`, as whole paths. */
export function foldersIn(env: ImportEnvironment, folder: string): readonly string[] {
  return (env.foldersIn?.(folder) ?? []).map((name) => joinPath(env, folder, name));
}

/** Returns the path of a file in a folder. The folder may be a path of Windows or of another system. */
export function fileIn(folder: string, name: string): string {
  return folder.includes('\\') ? win32.join(folder, name) : posix.join(folder, name);
}
