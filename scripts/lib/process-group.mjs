import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const GRACE_MS = 10_000;
/** Milliseconds to wait after SIGKILL. A process that survives it waits for a disk or a driver and cannot be ended. */
const KILL_LIMIT_MS = 2_000;

/** @typedef {import('./interruption.mjs').RunningCommand} RunningCommand */

/**
 * Starts a command in its own process group (POSIX). Ctrl-C signals only the foreground group, so it does not reach the
 * command. The group also makes it possible to end the command together with its descendants.
 * @template {import('node:child_process').SpawnOptions} Options
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} options
 */
export function spawnGroup(command, args, options) {
  return spawn(command, args, { ...options, detached: isPosix() });
}

/** A command and its descendants, which end together. @implements {RunningCommand} */
export class ProcessGroup {
  #isEnding = false;
  /** @type {NodeJS.Timeout | undefined} */
  #limit;

  /**
   * @param {import('node:child_process').ChildProcess} child started by spawnGroup()
   * @param {{ name: string, graceMs?: number | undefined, isPatient?: boolean | undefined }} options `graceMs`: time between
   * SIGTERM and SIGKILL; `isPatient`: the command must never be interrupted (dpkg), so that only the command itself gets one
   * INT, and its end is awaited without a limit
   */
  constructor(child, { name, graceMs = GRACE_MS, isPatient = false }) {
    this.child = child;
    this.name = name;
    this.graceMs = graceMs;
    this.isPatient = isPatient;
  }

  end() {
    this.#isEnding = true;
    if (this.isPatient) return void this.child.kill('SIGINT');
    this.#signal('SIGTERM');
    this.#limit = setTimeout(() => this.kill(), this.graceMs);
  }

  kill() {
    if (this.isPatient) return;
    this.#isEnding = true;
    clearTimeout(this.#limit);
    this.#signal('SIGKILL');
    this.#limit = setTimeout(() => (this.#isEnding = false), KILL_LIMIT_MS);
  }

  /** After end() or kill(), resolves when every process of the group has ended. Without such a call, resolves immediately. */
  async ended() {
    while (this.#isEnding && this.#isAlive()) await delay(POLL_MS);
    clearTimeout(this.#limit);
  }

  #isAlive() {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined) return false;
    const hasExited = exitCode !== null || signalCode !== null;
    return isPosix() && !this.isPatient ? isGroupAlive(pid) : !hasExited;
  }

  #signal(/** @type {NodeJS.Signals} */ signal) {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (!isPosix()) {
      // Windows has no signals, so the whole process tree is killed instead.
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has already ended.
    }
  }
}

/**
 * True if a process of the group still runs. Zombies do not count, because they remain if process 1 does not reap orphans, as
 * in some containers. @param {number} group
 */
export function isGroupAlive(group) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || hasRunningMember(group);
}

/** @param {number} group */
function hasRunningMember(group) {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The fields after the command's name are state, parent and group. The name itself may contain any character.
      const [state = '', , found] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(found) === group && !['Z', 'X'].includes(state);
    } catch {
      return false; // The process has already ended.
    }
  });
}

function isPosix() {
  return process.platform !== 'win32';
}
