import { basename } from 'node:path';
import { ScriptError } from './entry.mjs';
import { interruption } from './interruption.mjs';
import { ProcessGroup, spawnGroup } from './process-group.mjs';

const DRAIN_LIMIT_MS = 2_000;

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit @typedef {import('node:child_process').ChildProcess}
 * ChildProcess @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, name?: string, graceMs?: number, isPatient?:
 * boolean, limitMs?: number }} CommandOptions `name`: shown to users instead of the file name; `graceMs`, `isPatient`: see
 * ProcessGroup; `limitMs`: time after which the command and its descendants are killed @typedef {{ stdio:
 * import('node:child_process').StdioOptions, onStart?: (child: ChildProcess, group: ProcessGroup) => void }} Ways
 */

/**
 * Runs a command to its end. If this script has to stop, the command and its descendants are ended. When all have ended, the
 * promise rejects with `Interrupted`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions & Ways} options
 * @returns {Promise<Exit & { isLate: boolean }>} `isLate`: true if the command was ended because of `limitMs`
 */
export async function runCommand(
  command,
  args,
  { name = basename(command), graceMs, isPatient, limitMs, onStart, ...options },
) {
  /** @type {ChildProcess} */
  let child;
  /** @type {ProcessGroup} */
  let group;
  const start = () => {
    child = spawnGroup(command, args, options);
    group = new ProcessGroup(child, { name, graceMs, isPatient });
    onStart?.(child, group);
    return group;
  };
  return interruption.during(start, async () => {
    let isLate = false;
    const expire = () => {
      isLate = true;
      group.kill();
    };
    const limit = limitMs === undefined ? undefined : setTimeout(expire, limitMs);
    try {
      return { ...(await settle(child, command, () => group.kill())), isLate };
    } finally {
      clearTimeout(limit);
      await group.ended();
    }
  });
}

/**
 * Runs a command to its end. Its output goes to stderr, because stdout is for the script's own output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 */
export async function runOnStderr(command, args, options = {}) {
  return runCommand(command, args, { ...options, stdio: ['ignore', 2, 2] });
}

/**
 * Runs a command and throws if it fails.
 * @param {string} what names the step in the message
 * @param {string} command @param {readonly string[]} args
 * @param {CommandOptions} [options]
 */
export async function runOrFail(what, command, args, options = {}) {
  const exit = await runOnStderr(command, args, options);
  if (exit.code !== 0) {
    throw new ScriptError(`${what} failed: ${describeExit(exit)} from "${[command, ...args].join(' ')}".`);
  }
}

/**
 * Runs a command and returns its output, for commands whose output is parsed, or shown only after a failure.
 * @param {string} command @param {readonly string[]} args
 * @param {CommandOptions & Pick<Ways, 'onStart'>} [options]
 * @returns {Promise<Exit & { isLate: boolean, stdout: string, stderr: string }>}
 */
export async function captureCommand(command, args, { onStart, ...options } = {}) {
  let stdout = '';
  let stderr = '';
  const exit = await runCommand(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    onStart: (child, group) => {
      child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text));
      child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text));
      onStart?.(child, group);
    },
  });
  return { ...exit, stdout, stderr };
}

/** @param {Exit} exit */
export function describeExit({ code, signal }) {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/**
 * Resolves when the child has ended and its output has been read. Ends the child if this script ends first.
 * @param {ChildProcess} child
 * @param {string} command
 * @param {() => unknown} [endChild]
 * @returns {Promise<Exit>}
 */
export function settle(child, command, endChild = () => child.kill()) {
  process.once('exit', endChild);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new ScriptError(`"${command}" could not be started: ${cause.message}.`)),
    );
    child.once('close', (code, signal) => resolve({ code, signal }));
    // A descendant may keep the pipes open forever, and "close" is then never emitted. So the wait ends a fixed time after the
    // child's exit, when its own output has long been read.
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), DRAIN_LIMIT_MS).unref());
  }).finally(() => process.off('exit', endChild));
}
