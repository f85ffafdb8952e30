import { basename } from 'node:path';
import { projectRoot } from './paths.mjs';
import { captureCommand } from './run-command.mjs';

/**
 * Settings that an outer npm (the one that runs this script) passes on in environment variables, such as those of `--dry-run`
 * and `-s`, and that would change the behaviour of the npm started here. All other settings are the user's and are kept.
 */
const OUTER_SETTINGS = [
  'dry_run',
  'json',
  'global',
  'location',
  'loglevel',
  'package_lock_only',
  'workspace',
  'workspaces',
];

/**
 * Returns the command that starts npm: the npm that runs this script, else the npm on the PATH.
 * @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {{ command: string, args: string[], options: { cwd: string, env: NodeJS.ProcessEnv, shell: boolean, name: string }
 * }}
 */
export function npmCommand(args, env = process.env, platform = process.platform) {
  const options = {
    cwd: projectRoot,
    env: withoutOuterSettings(env),
    shell: false,
    name: `npm ${args[0] ?? ''}`.trim(),
  };
  const cli = env.npm_execpath ?? '';
  if (basename(cli) === 'npm-cli.js') {
    return { command: env.npm_node_execpath ?? process.execPath, args: [cli, ...args], options };
  }
  // On Windows npm is a batch file, which only a shell can start. These arguments need no quoting.
  const isWindows = platform === 'win32';
  return {
    command: isWindows ? 'npm.cmd' : 'npm',
    args: [...args],
    options: { ...options, shell: isWindows },
  };
}

/**
 * Runs npm and returns its output.
 * @param {readonly string[]} args @param {Parameters<typeof captureCommand>[2]} [options]
 */
export function captureNpm(args, options) {
  const npm = npmCommand(args);
  return captureCommand(npm.command, npm.args, { ...npm.options, ...options });
}

/** @param {NodeJS.ProcessEnv} env */
function withoutOuterSettings(env) {
  const dropped = new Set(OUTER_SETTINGS.map((name) => `npm_config_${name}`));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.has(name.toLowerCase())));
}
