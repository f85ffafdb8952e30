import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ScriptError } from '../entry.mjs';
import { describeExit, runCommand } from '../run-command.mjs';

/** Tells the tests that Windows is played by wine; test/support/skip-on.ts reads it. */
const UNDER_WINE_VARIABLE = 'MCP_CONTROL_PANEL_UNDER_WINE';

/** Mends of wine for every Node, in the lane's sources. */
const PRELOAD = 'test/windows/keep-alive.cjs';

/** Programs of the lane that stand in the place of wine's own. */
const OWN_PROGRAMS = ['powershell.exe', 'taskkill.exe'];

/** What wine's server says when it dies, which that of wine 8 does now and then; whatever runs under it then waits for ever. */
const SERVER_CRASH = 'wineserver crashed';
const CRASH_POLL_MS = 2000;

/**
 * What programs under wine get. Only this: wine hands every variable on, and a test must not see this machine's.
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
    // Without Mono and Gecko: wine would ask in a window whether to download them.
    WINEDLLOVERRIDES: ['mscoree=', 'mshtml=', ...OWN_PROGRAMS.map((name) => `${name}=n,b`)].join(';'),
    [UNDER_WINE_VARIABLE]: '1',
    // Z: is this system's root. Quoted, because the folder may have blanks.
    NODE_OPTIONS: `--require="${join('Z:', tree, PRELOAD)}"`,
    NO_COLOR: '1',
  };
}

/**
 * Whether wine's server died in that run, which then says nothing of the tests.
 * @param {string} log as of `runToFile`
 */
export function hasWineCrashed(log) {
  return readFileSync(`${log}.stderr`, 'utf8').includes(SERVER_CRASH);
}

/**
 * Runs a program with its output in files: a Node on a pipe of wine's ends with "open EBADF". Ended when its time is up, and
 * when wine's server has died.
 * @param {string} command @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, name: string, log: string, limitMs: number }} options `log`: the file
 *   of its stdout; stderr goes to `<log>.stderr`
 */
export async function runToFile(command, args, { log, limitMs, ...options }) {
  mkdirSync(dirname(log), { recursive: true });
  const outputs = [openSync(log, 'w'), openSync(`${log}.stderr`, 'w')];
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  try {
    return await runCommand(command, args, {
      ...options,
      stdio: ['ignore', ...outputs],
      onStart: (_child, group) => {
        const endIfCrashed = () => hasWineCrashed(log) && group.kill();
        timers.push(
          setTimeout(() => group.kill(), limitMs),
          setInterval(endIfCrashed, CRASH_POLL_MS),
        );
      },
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const output of outputs) closeSync(output);
  }
}

/**
 * The same, and fails when the program does.
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
