import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ScriptError } from '../entry.mjs';
import { describeExit, runCommand } from '../run-command.mjs';

/** Variable that tells the tests that they run under wine; test/support/skip-on.ts reads it. */
const UNDER_WINE_VARIABLE = 'MCP_CONTROL_PANEL_UNDER_WINE';

/** Fixes of wine for every Node, in the lane's sources. */
const PRELOAD = 'test/windows/keep-alive.cjs';

/** Programs of the lane that replace wine's own. */
const OWN_PROGRAMS = ['powershell.exe', 'taskkill.exe'];

/** Message of a crash of wine's server, which happens sometimes with wine 8; programs under it then wait for ever. */
const SERVER_CRASH = 'wineserver crashed';
const CRASH_POLL_MS = 2000;

/**
 * Returns the whole environment of programs under wine, which passes every variable on; tests must not see this machine's.
 * @param {{ prefix: string, tree: string }} lane @param {NodeJS.ProcessEnv} [env] @returns {NodeJS.ProcessEnv}
 */
export function wineEnvironment({ prefix, tree }, env = process.env) {
  const { PATH, HOME, LANG, USER } = env;
  return {
    ...Object.fromEntries(
      Object.entries({ PATH, HOME, LANG, USER }).filter(([, value]) => value !== undefined),
    ),
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // Mono and Gecko are disabled, because wine would open a dialog about downloading them.
    WINEDLLOVERRIDES: ['mscoree=', 'mshtml=', ...OWN_PROGRAMS.map((name) => `${name}=n,b`)].join(';'),
    [UNDER_WINE_VARIABLE]: '1',
    // Z: is this system's root. Quoted, because the folder may contain spaces.
    NODE_OPTIONS: `--require="${join('Z:', tree, PRELOAD)}"`,
    NO_COLOR: '1',
  };
}

/** Whether wine's server crashed: the run then says nothing. @param {string} log as of `runToFile` */
export function hasWineCrashed(log) {
  return readFileSync(`${log}.stderr`, 'utf8').includes(SERVER_CRASH);
}

/**
 * Runs a program with its output in files, because a Node on a pipe of wine ends with "open EBADF". It is ended at its time
 * limit, and when wine's server has crashed.
 * @param {string} command @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, name: string, log: string, limitMs: number }} options `log`: the file of its
 *   stdout; stderr goes to `<log>.stderr`
 */
export async function runToFile(command, args, { log, ...options }) {
  mkdirSync(dirname(log), { recursive: true });
  const outputs = [openSync(log, 'w'), openSync(`${log}.stderr`, 'w')];
  /** @type {NodeJS.Timeout | undefined} */
  let look;
  try {
    return await runCommand(command, args, {
      ...options,
      stdio: ['ignore', ...outputs],
      onStart: (_child, group) => {
        look = setInterval(() => hasWineCrashed(log) && group.kill(), CRASH_POLL_MS);
      },
    });
  } finally {
    clearInterval(look);
    for (const output of outputs) closeSync(output);
  }
}

/**
 * Runs a program in the same way and throws if it fails.
 * @param {string} command @param {readonly string[]} args @param {Parameters<typeof runToFile>[2]} options
 */
export async function runToFileOrFail(command, args, options) {
  const exit = await runToFile(command, args, options);
  if (exit.code === 0) return;
  throw new ScriptError(
    `${options.name} failed: ${describeExit(exit)}.`,
    `Its output is in "${options.log}" and "${options.log}.stderr".`,
  );
}
