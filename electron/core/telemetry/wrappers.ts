/** Programs that install what they run, and then only wait for it. */
const RUNNERS = ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bunx', 'uv', 'uvx', 'pipx'] as const;

/**
 * Programs that start another one and pass their pipes on to it. They never answer on stdout themselves, unless they are
 * the last of their chain: a server may be written in shell.
 */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...[...RUNNERS, 'bun', 'corepack', 'volta', 'volta-shim', 'fnm', 'nvm'],
  ...['poetry', 'pdm', 'hatch', 'rye', 'pixi', 'conda', 'mamba', 'micromamba'],
  ...['mise', 'asdf', 'direnv', 'nix', 'env', 'sudo', 'su', 'timeout', 'nice', 'nohup', 'stdbuf', 'setsid'],
  ...['sh', 'bash', 'dash', 'ash', 'zsh', 'fish', 'ksh', 'mksh', 'busybox', 'cmd', 'powershell', 'pwsh'],
  ...['tini', 'dumb-init', 'xvfb-run', 'dotenv', 'dotenvx', 'op', 'doppler', 'infisical'],
]);

/** @param command short name of the program; npm puts its own command line there: `npm exec @scope…` */
export function isWrapper(command: string): boolean {
  return WRAPPERS.has(nameIn(command));
}

/** Whether `command` names a program that installs what it runs, and then only waits for it. */
export function isRunner(command: string): boolean {
  return RUNNERS.some((name) => name === nameIn(command));
}

function nameIn(command: string): string {
  const [name = ''] = command.toLowerCase().split(' ');
  return name.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd|bat)$/, '');
}
