/** The variable that marks every process of one run; children inherit it, so escapees are found by it. */
export const RUN_MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';

/** What an Electron app or an npm script has in its environment and a server must not inherit. */
const DENIED =
  /^(ELECTRON_|CHROME_|npm_|NPM_|MCP_CONTROL_PANEL_|GDK_BACKEND$|NODE_OPTIONS$|NODE_CHANNEL_FD$|NODE_UNIQUE_ID$|INIT_CWD$|VITE_)/;

export interface ChildEnvironmentOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** PATH of the person's login shell; an app started from a dock has a poor one. */
  readonly loginPath?: string | undefined;
  /** `env` of the server's entry; wins over everything but the marker. */
  readonly entry: Readonly<Record<string, string>>;
  readonly marker: string;
}

/** The environment of one run: the parent's without what is ours, the login shell's PATH, the entry's own, the marker. */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.parent)) {
    if (value !== undefined && !DENIED.test(name)) environment[name] = value;
  }
  const appDir = options.parent['APPDIR'];
  if (appDir) dropAppImageEntries(environment, appDir);
  if (options.loginPath !== undefined)
    environment['PATH'] = mergePaths(options.loginPath, environment['PATH']);
  return { ...environment, ...options.entry, [RUN_MARKER_NAME]: options.marker };
}

/** An AppImage puts its mount point into PATH, LD_LIBRARY_PATH and friends: gone after the app quits, wrong for others. */
function dropAppImageEntries(environment: Record<string, string>, appDir: string): void {
  for (const name of ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']) delete environment[name];
  for (const [name, value] of Object.entries(environment)) {
    if (!value.includes(appDir)) continue;
    const kept = value.split(':').filter((part) => !part.startsWith(appDir));
    if (kept.length === 0) delete environment[name];
    else environment[name] = kept.join(':');
  }
}

function mergePaths(first: string, second: string | undefined): string {
  const separator = first.includes(';') ? ';' : ':';
  const parts = [...first.split(separator), ...(second ?? '').split(separator)].filter((part) => part !== '');
  return [...new Set(parts)].join(separator);
}
