type Environment = Map<string, string>;

/** Written by our launcher (`scripts/lib/display.mjs`): a JSON object of what it replaced, null for what was not there. */
const LAUNCHER_RECORD = 'MCP_CONTROL_PANEL_REPLACED';
/** npm and its like say by this that they are running a script. */
const NPM_SIGN = 'npm_execpath';
/** Variables that npm sets, whatever stood there. `_` is the shell's, and names npm. */
const NPM_VARIABLES = ['NODE', 'EDITOR', 'COLOR', '_'];

/** Takes back what our launcher has set: the display that it opened for the panel is no display of the person's. */
export function undoLauncher(environment: Environment): void {
  for (const [name, value] of Object.entries(readRecord(environment.get(LAUNCHER_RECORD)))) {
    if (typeof value === 'string') environment.set(name, value);
    else environment.delete(name);
  }
}

/** Electron and Chromium tell the libraries of their own process that things are otherwise than they are. */
export function undoElectron(environment: Environment): void {
  const desktop = environment.get('ORIGINAL_XDG_CURRENT_DESKTOP') ?? environment.get('XDG_CURRENT_DESKTOP');
  environment.delete('ORIGINAL_XDG_CURRENT_DESKTOP');
  // 'undefined' is what Electron writes where there was nothing.
  if (desktop === undefined || desktop === 'undefined') environment.delete('XDG_CURRENT_DESKTOP');
  else environment.set('XDG_CURRENT_DESKTOP', desktop);
  if (environment.get('DBUS_SESSION_BUS_ADDRESS') === 'disabled:')
    environment.delete('DBUS_SESSION_BUS_ADDRESS');
}

/** Removes what npm has set. The values that it replaced are lost here; the login shell may still know them. */
export function undoNpm(environment: Environment): void {
  if (!environment.has(NPM_SIGN)) return;
  for (const name of NPM_VARIABLES) environment.delete(name);
}

/** An AppImage puts its mount point into PATH, LD_LIBRARY_PATH and friends: gone after the app quits, wrong for others. */
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
 * `path` without the block that a package manager puts in front of it for a script: the `node_modules/.bin` of the
 * project and of every folder above, and then its `node-gyp-bin`; once per nested script. A `.bin` of the same
 * folders goes wherever it stands; any other stays, for a person may well have one.
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

/** The number of folders that a script runner has put at the front; 0 for none. */
function blockLength(folders: readonly string[]): number {
  const end = folders.findIndex((folder) => !BIN.test(folder));
  return end !== -1 && NODE_GYP_BIN.test(folders[end]!) ? end + 1 : 0;
}

function readRecord(text: string | undefined): object {
  try {
    const record: unknown = JSON.parse(text ?? '{}');
    return typeof record === 'object' && record !== null ? record : {};
  } catch {
    return {}; // Not our launcher's.
  }
}
