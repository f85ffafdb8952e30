import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { note } from './entry.mjs';
import { eachLine, isHarmless, isStateLine } from './output-lines.mjs';
import { projectRoot } from './paths.mjs';
import { electronEnvironment } from './prepare.mjs';
import { describeExit, settle } from './run-command.mjs';

/**
 * Milliseconds that the app may take to quit. The app's own limits are shorter, so an app that takes longer hangs and is
 * killed. Its servers are then ended by the death pipe, a helper process that notices the death of the app.
 */
const QUIT_LIMIT_MS = 30_000;
const PARENT_CHECK_MS = 1_000;

/**
 * Returns the arguments with which the pinned Node runs the panel's core without a window. With some options, the core only
 * performs one task on the data folder.
 * @param {string} home
 * @param {readonly string[]} options such as `--restore-clients`
 */
export function coreArguments(home, options) {
  const entry = join(projectRoot, 'electron', 'core', 'headless.ts');
  return [entry, '--home', home, ...options];
}

/**
 * Runs the app until it quits, and returns the exit code for the script.
 * @param {import('./prepare.mjs').LaunchCommand} command
 * @param {Record<string, string | undefined>} env variables that the app gets in addition to the environment of this script
 * @param {import('./entry.mjs').StopSignals} stop
 */
export async function runInForeground(command, env, stop) {
  const isPosix = process.platform !== 'win32';
  const child = spawn(command.executablePath, command.args, {
    env: electronEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // The app gets its own process group, because Ctrl-C signals the whole foreground group, and this script forwards the
    // signal as well. Electron must get each signal only once.
    detached: isPosix,
  });
  sortOutput(child);
  const quit = new Quit(child, isPosix);
  stop.handle = (signal) => quit.request(signal);
  const parentCheck = watchParent(() => quit.request('SIGHUP'));
  try {
    return quit.exitCode(await settle(child, command.executablePath));
  } finally {
    clearInterval(parentCheck);
    quit.dispose();
  }
}

/**
 * Sorts the output of the app. Lines that report the state of the panel go to stdout, which contains nothing else. All other
 * lines go to stderr, except harmless messages of Chromium, which are dropped.
 */
function sortOutput(
  /** @type {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} */ child,
) {
  eachLine(child.stdout, (line) => (isStateLine(line) ? process.stdout : process.stderr).write(`${line}\n`));
  eachLine(child.stderr, (line) => isHarmless(line) || process.stderr.write(`${line}\n`));
}

/** Handles a quit that a signal requested: forwards the signal, waits, and kills the app if it does not end. */
class Quit {
  /** @type {Set<NodeJS.Signals>} */
  #sent = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #limit;

  /** @param {import('node:child_process').ChildProcess} child @param {boolean} isGroup */
  constructor(child, isGroup) {
    this.child = child;
    this.isGroup = isGroup;
  }

  /** Forwards a signal once, because npm repeats a signal that the terminal has already sent. */
  request(/** @type {NodeJS.Signals} */ signal) {
    if (this.#sent.has(signal)) return;
    this.#sent.add(signal);
    this.child.kill(signal);
    this.#limit ??= setTimeout(() => this.#force(), QUIT_LIMIT_MS);
  }

  #force() {
    note(`the app has not quit within ${QUIT_LIMIT_MS / 1000} s: ending it`);
    try {
      process.kill(this.isGroup ? -Number(this.child.pid) : Number(this.child.pid), 'SIGKILL');
    } catch {
      // The app has already ended.
    }
  }

  /** @param {import('./run-command.mjs').Exit} exit */
  exitCode(exit) {
    if (this.#sent.size > 0 || exit.code === 0) return 0;
    note(`the app ended with ${describeExit(exit)}`);
    return exit.code ?? 1;
  }

  dispose() {
    clearTimeout(this.#limit);
  }
}

/**
 * Calls `onGone` when the npm that started the panel has ended. npm forwards INT and TERM, but ends without forwarding HUP and
 * KILL. The panel then quits as if its terminal had been closed, so that it does not continue to run unnoticed.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined;
  return setInterval(() => process.ppid !== parent && onGone(), PARENT_CHECK_MS);
}
