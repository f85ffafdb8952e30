import { spawn } from 'node:child_process';
import { ScriptError } from './entry.mjs';

const DRAIN_LIMIT_MS = 2_000;

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} CommandOptions
 */

/**
 * Runs a command to its end, its output on our stderr: on stdout it would mix with what we promise to print there.
 * @param {string} command @param {readonly string[]} args @param {CommandOptions} [options]
 */
export async function runOnStderr(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] });
  return settle(child, command);
}

/**
 * Runs a command and fails when it does.
 * @param {string} what names the step in the message
 * @param {string} command @param {readonly string[]} args
 * @param {CommandOptions & { remedy?: string }} [options]
 */
export async function runOrFail(what, command, args, { remedy, ...options } = {}) {
  const exit = await runOnStderr(command, args, options);
  if (exit.code !== 0) {
    throw new ScriptError(
      `${what} failed: ${describeExit(exit)} from "${[command, ...args].join(' ')}".`,
      remedy,
    );
  }
}

/**
 * Runs a command and keeps what it says, for commands whose output is read or only worth showing on failure.
 * @param {string} command @param {readonly string[]} args @param {CommandOptions} [options]
 * @returns {Promise<Exit & { stdout: string, stderr: string }>}
 */
export async function captureCommand(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const exit = await settle(child, command);
  return { ...exit, stdout, stderr };
}

/** @param {Exit} exit */
export function describeExit({ code, signal }) {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/**
 * Resolves once the child has ended and its output was read; ends it when this script ends first.
 * @param {import('node:child_process').ChildProcess} child @param {string} command
 * @returns {Promise<Exit>}
 */
export function settle(child, command) {
  const endChild = () => child.kill();
  process.once('exit', endChild);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new ScriptError(`"${command}" could not be started: ${cause.message}.`)),
    );
    child.once('close', (code, signal) => resolve({ code, signal }));
    // Something it left behind may hold the pipes for ever; what the child itself wrote is read long before.
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), DRAIN_LIMIT_MS).unref());
  }).finally(() => process.off('exit', endChild));
}
