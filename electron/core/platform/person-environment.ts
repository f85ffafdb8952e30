import { mergeEnvironments, variableOf } from './environment-names.ts';
import { dropAppImage, undoElectron, undoLauncher, undoNpm, withoutNpmFolders } from './launch-traces.ts';
import type { LoginCapture } from './login-capture.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of an Electron app or an npm script that a server must not inherit. */
const DENIED =
  /^(ELECTRON_|CHROME_|npm_|NPM_|MCP_CONTROL_PANEL_|GDK_BACKEND$|NODE_OPTIONS$|NODE_CHANNEL_FD$|NODE_UNIQUE_ID$|INIT_CWD$|VITE_|NO_AT_BRIDGE$)/;
/** Variables that npm puts in the place of the person's own. */
const REPLACED = /^(NODE|EDITOR|COLOR)$/;
/** Variables that are the panel's own, even where the login shell has them. */
const OURS = /^MCP_CONTROL_PANEL_/;
const PATH = /^path$/i;

/**
 * Whether the login shell is asked for the variable: it cannot be told from one of ours in our own environment, while the
 * shell, which was started without ours, has it only if it is the person's.
 */
export function isAskedOfShell(name: string): boolean {
  return (DENIED.test(name) || REPLACED.test(name)) && !OURS.test(name);
}

/** Our own environment without the traces of what started us. PATH is that of whoever did. */
export function ownEnvironment(
  parent: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(parent)) if (value !== undefined) environment.set(name, value);
  undoLauncher(environment);
  undoElectron(environment);
  undoNpm(environment);
  // On Windows, APPDIR may be anybody's, and a colon stands in every path.
  if (platform !== 'win32') dropAppImage(environment);
  // Where we were before is nothing to a child.
  environment.delete('OLDPWD');
  for (const [name, value] of environment) {
    if (DENIED.test(name)) environment.delete(name);
    else if (PATH.test(name)) environment.set(name, withoutNpmFolders(value));
  }
  return Object.fromEntries(environment);
}

/**
 * The environment of this person's programs, whoever started the panel and how: ours without the traces of that, with
 * PATH as the login shell has it, letter for letter, and with those variables of the shell that we must not take from
 * ours. Where no shell told, PATH is ours and the folders that are known to hold programs: after ours where that comes
 * from a terminal, and before it where an app was started from a dock or a menu and has the system's. On Windows, PATH is
 * ours, and what the registry has beside it.
 */
export function personEnvironment(
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
  return { ...own, ...login.variables, PATH: login.path };
}

/**
 * A PATH that also holds what the login shell's lacks of ours, for a command that the shell's alone does not lead to: the
 * panel was started from where it is found (a nix-shell, an activated environment, a step of a CI).
 */
export function widerPath(parent: Environment, { path = '' }: LoginCapture): string {
  return mergePaths(':', path, ownEnvironment(parent)['PATH'] ?? '');
}

/** The first as it is, and of the others what is new. */
function mergePaths(separator: ':' | ';', first = '', ...others: readonly string[]): string {
  // Windows does not tell folders apart by case, nor by a backslash at their end.
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
