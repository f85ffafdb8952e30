import { parsedJson } from '../../../shared/parsed.ts';
import { mergeEnvironments, variableOf } from './child-environment.ts';
import type { LoginCapture } from './login-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that Electron, npm or the panel set for their own use and that a server must not inherit. */
const DENIED =
  /^(ELECTRON_|CHROME_|npm_|NPM_|MCP_CONTROL_PANEL_|GDK_BACKEND$|NODE_OPTIONS$|NODE_CHANNEL_FD$|NODE_UNIQUE_ID$|INIT_CWD$|VITE_|NO_AT_BRIDGE$)/;
/** Variables of the user whose values npm replaces. */
const REPLACED = /^(NODE|EDITOR|COLOR)$/;
/** Variables of the panel itself. They are never taken from the login shell, even if it has them. */
const OURS = /^MCP_CONTROL_PANEL_/;
const PATH = /^path$/i;

/**
 * True if the variable's value is taken from the login shell. In the panel's environment the value may come from npm or
 * Electron. The shell starts without their values, so it has a value only if the user set it.
 */
function isTakenFromShell(name: string): boolean {
  return (DENIED.test(name) || REPLACED.test(name)) && !OURS.test(name);
}

/**
 * Returns the panel's environment without the changes that its launcher, Electron, npm and an AppImage made to it. PATH stays
 * as inherited, except for the folders that npm prepended.
 */
export function ownEnvironment(
  parent: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(parent)) if (value !== undefined) environment.set(name, value);
  undoLauncher(environment);
  undoElectron(environment);
  undoNpm(environment);
  // Not on Windows, where any program may set APPDIR, and where the `:` after a drive letter would be mistaken for a separator.
  if (platform !== 'win32') dropAppImage(environment);
  // A child does not need the previous working folder.
  environment.delete('OLDPWD');
  for (const [name, value] of environment) {
    if (DENIED.test(name)) environment.delete(name);
    else if (PATH.test(name)) environment.set(name, withoutNpmFolders(value));
  }
  return Object.fromEntries(environment);
}

/**
 * Returns the environment in which the user's programs run. It does not depend on how the panel was started. It consists of the
 * panel's own environment without traces of its launcher, the login shell's PATH unchanged, and the login shell's values of
 * variables that Electron or npm may have changed in the panel's environment. If the login shell did not answer, known program
 * folders are added to the panel's PATH: after it if the panel was started from a terminal, before it if the panel was started
 * from a dock or menu. On Windows, PATH is the panel's, followed by the folders that the registry adds.
 */
export function userEnvironment(
  parent: Environment,
  login?: LoginCapture,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const own = ownEnvironment(parent, platform);
  if (login?.path === undefined) return own;
  if (login.source === 'registry') {
    const ownPath = variableOf(own, 'PATH', platform);
    return mergeEnvironments(platform, own, { Path: mergePaths(';', ownPath, login.path) });
  }
  if (login.source !== 'shell') {
    const parts = [login.path, own['PATH'] ?? ''];
    return { ...own, PATH: mergePaths(':', ...(own['TERM'] === undefined ? parts : parts.reverse())) };
  }
  const taken = [...(login.variables ?? [])].filter(([name]) => isTakenFromShell(name));
  return { ...own, ...Object.fromEntries(taken), PATH: login.path };
}

/**
 * Returns the login shell's PATH followed by the folders that only the panel's PATH has. Used for a command that the login
 * shell's PATH lacks: the panel may have been started in an environment that has the command (a nix-shell, an activated
 * environment, a CI step).
 */
export function widerPath(parent: Environment, { path = '' }: LoginCapture): string {
  return mergePaths(':', path, ownEnvironment(parent)['PATH'] ?? '');
}

/** Joins paths: the first path unchanged, then the folders of the others that it lacks. */
function mergePaths(separator: ':' | ';', first = '', ...others: readonly string[]): string {
  // Windows ignores case and a trailing backslash in folder names.
  const keyOf = (part: string) => (separator === ';' ? part.toLowerCase().replace(/[\\/]$/, '') : part);
  const known = new Set(first.split(separator).map(keyOf));
  const further = others
    .flatMap((path) => path.split(separator))
    .filter((part) => {
      const isNew = part !== '' && !known.has(keyOf(part));
      known.add(keyOf(part));
      return isNew;
    });
  return [first, ...further].filter((part) => part !== '').join(separator);
}

type Variables = Map<string, string>;

/**
 * Variable set by `scripts/lib/display.mjs`, which launches the panel on a virtual display. It is a JSON object of the
 * variables that the script replaced, with their previous values (null if unset).
 */
const LAUNCHER_RECORD = 'MCP_CONTROL_PANEL_REPLACED';
/** Variable whose presence shows that npm or a similar tool started the panel as a script. */
const NPM_SIGN = 'npm_execpath';
/** Variables that npm overwrites. `_` is set by the shell and contains the path of npm. */
const NPM_VARIABLES = ['NODE', 'EDITOR', 'COLOR', '_'];

/** Restores the variables that the launcher changed, because the display it opened for the panel is not the user's. */
function undoLauncher(environment: Variables): void {
  for (const [name, value] of Object.entries(readRecord(environment.get(LAUNCHER_RECORD)))) {
    if (typeof value === 'string') environment.set(name, value);
    else environment.delete(name);
  }
}

/** Removes variables by which Electron and Chromium change the behaviour of libraries in their own process. */
function undoElectron(environment: Variables): void {
  const desktop = environment.get('ORIGINAL_XDG_CURRENT_DESKTOP') ?? environment.get('XDG_CURRENT_DESKTOP');
  environment.delete('ORIGINAL_XDG_CURRENT_DESKTOP');
  // Electron writes the text 'undefined' for a variable that was unset.
  if (desktop === undefined || desktop === 'undefined') environment.delete('XDG_CURRENT_DESKTOP');
  else environment.set('XDG_CURRENT_DESKTOP', desktop);
  if (environment.get('DBUS_SESSION_BUS_ADDRESS') === 'disabled:')
    environment.delete('DBUS_SESSION_BUS_ADDRESS');
}

/** Removes the variables that npm set. Their original values are not in this environment; the login shell may still have them. */
function undoNpm(environment: Variables): void {
  if (!environment.has(NPM_SIGN)) return;
  for (const name of NPM_VARIABLES) environment.delete(name);
}

/** Removes an AppImage's mount point from PATH, LD_LIBRARY_PATH and others, because it disappears when the app quits. */
function dropAppImage(environment: Variables): void {
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

/** Parses the value of `MCP_CONTROL_PANEL_REPLACED`; returns an empty object for a text that is not a JSON object. */
function readRecord(text = ''): object {
  const record = parsedJson(text);
  return typeof record === 'object' && record !== null ? record : {};
}
