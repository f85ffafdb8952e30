import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ScriptError } from '../entry.mjs';
import { describeExit, runCommand } from '../run-command.mjs';

/** Environment variable that tells the tests that they run under wine; test/support/skip-on.ts reads it. */
const UNDER_WINE_VARIABLE = 'MCP_CONTROL_PANEL_UNDER_WINE';

/** File with a fix for wine's sockets, loaded by every Node there. The path is relative to the lane's copy of the sources. */
const PRELOAD = 'test/windows/keep-alive.cjs';

/** Programs built from test/windows/shims that replace wine's own programs of the same names. */
const OWN_PROGRAMS = ['powershell.exe', 'taskkill.exe'];

/** Message of wine's server when it crashes, which sometimes happens with wine 8. Programs under it then wait forever. */
const SERVER_CRASH = 'wineserver crashed';
const CRASH_POLL_MS = 2000;

/**
 * Returns the whole environment of programs under wine. It is built from scratch, because wine passes on every variable, and
 * tests must not see this machine's variables.
 * @param {{ prefix: string, tree: string }} lane
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
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
    // Z: is the root of this system's files. The path is quoted, because it may contain spaces.
    NODE_OPTIONS: `--require="${join('Z:', tree, PRELOAD)}"`,
    NO_COLOR: '1',
  };
}

/**
 * True if wine's server crashed. The result of the run is then meaningless. @param {string} log the option `log` of `runToFile`
 */
export function hasWineCrashed(log) {
  return readFileSync(`${log}.stderr`, 'utf8').includes(SERVER_CRASH);
}

/**
 * Runs a program and writes its output to files, because under wine a Node with a pipe fails with "open EBADF". The program is
 * ended at its time limit, or when wine's server has crashed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, name: string, log: string, limitMs: number }} options `log`: the file of its
 * stdout; stderr goes to `<log>.stderr`
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
 * Runs a program like `runToFile` and throws if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof runToFile>[2]} options
 */
export async function runToFileOrFail(command, args, options) {
  const exit = await runToFile(command, args, options);
  if (exit.code === 0) return;
  throw new ScriptError(
    `${options.name} failed: ${describeExit(exit)}.`,
    `Its output is in "${options.log}" and "${options.log}.stderr".`,
  );
}
