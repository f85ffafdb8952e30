import { parsedJson } from '../../../shared/parsed.ts';
type Environment = Map<string, string>;

/**
 * Variable of the panel's launcher (`scripts/lib/display.mjs`): a JSON object of the values that the launcher replaced, null
 * for variables that were unset.
 */
const LAUNCHER_RECORD = 'MCP_CONTROL_PANEL_REPLACED';
/** Variable by which npm and similar tools mark a script run. */
const NPM_SIGN = 'npm_execpath';
/** Variables that npm overwrites. `_` is the shell's, and names npm. */
const NPM_VARIABLES = ['NODE', 'EDITOR', 'COLOR', '_'];

/** Restores the variables that the launcher changed, because the display it opened for the panel is not the user's. */
export function undoLauncher(environment: Environment): void {
  for (const [name, value] of Object.entries(readRecord(environment.get(LAUNCHER_RECORD)))) {
    if (typeof value === 'string') environment.set(name, value);
    else environment.delete(name);
  }
}

/** Removes variables by which Electron and Chromium change the behaviour of libraries in their own process. */
export function undoElectron(environment: Environment): void {
  const desktop = environment.get('ORIGINAL_XDG_CURRENT_DESKTOP') ?? environment.get('XDG_CURRENT_DESKTOP');
  environment.delete('ORIGINAL_XDG_CURRENT_DESKTOP');
  // Electron writes the text 'undefined' for a variable that was unset.
  if (desktop === undefined || desktop === 'undefined') environment.delete('XDG_CURRENT_DESKTOP');
  else environment.set('XDG_CURRENT_DESKTOP', desktop);
  if (environment.get('DBUS_SESSION_BUS_ADDRESS') === 'disabled:')
    environment.delete('DBUS_SESSION_BUS_ADDRESS');
}

/** Removes the variables that npm set. The values that npm replaced are lost here; the login shell may still have them. */
export function undoNpm(environment: Environment): void {
  if (!environment.has(NPM_SIGN)) return;
  for (const name of NPM_VARIABLES) environment.delete(name);
}

/** Removes an AppImage's mount point from PATH, LD_LIBRARY_PATH and others, because it disappears when the app quits. */
export function dropAppImage(environment: Environment): void {
  const appDir = environment.get('APPDIR');
  if (!appDir) return;
  for (const name of ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']) environment.delete(name);
  for (const [name, value] of environment) {
    if (!value.includes(appDir)) continue;
    const kept = value.split(':').filter((part) => !part.startsWith(appDir));
    if (kept.length === 0) environment.delete(name);
    else environment.set(name, kept.join(':'));
  }
}

/**
 * Returns `path` without the folders that a package manager prepends for a script: the `node_modules/.bin` of the project and
 * of every parent folder, then its `node-gyp-bin`, once per nested script. These `.bin` folders are removed anywhere in the
 * path; any other `.bin` stays, because the user may have added it.
 */
export function withoutNpmFolders(path: string): string {
  const separator = path.includes(';') || /^[A-Za-z]:\\/.test(path) ? ';' : ':';
  let rest = path.split(separator);
  const added = new Set<string>();
  for (let length = blockLength(rest); length > 0; length = blockLength(rest)) {
    for (const folder of rest.slice(0, length)) added.add(folder);
    rest = rest.slice(length);
  }
  return rest.filter((folder) => !added.has(folder)).join(separator);
}

const BIN = /[\\/]node_modules[\\/]\.bin$/;
const NODE_GYP_BIN = /[\\/]node-gyp-bin$/;

/** Returns the number of folders that a script runner prepended; 0 for none. */
function blockLength(folders: readonly string[]): number {
  const end = folders.findIndex((folder) => !BIN.test(folder));
  return end !== -1 && NODE_GYP_BIN.test(folders[end]!) ? end + 1 : 0;
}

/** Empty for what our launcher has not written. */
function readRecord(text = ''): object {
  const record = parsedJson(text);
  return typeof record === 'object' && record !== null ? record : {};
}
