import { constants } from 'node:os';

/**
 * Milliseconds after a signal within which a second signal is ignored. For Ctrl-C, both the terminal and npm send a signal, and
 * a user cannot press the keys again that fast.
 */
const ECHO_MS = 500;

/** Error thrown in place of a command's result after a signal has requested that this script stop. */
export class Interrupted extends Error {
  constructor() {
    super('stopped before it was done');
    this.name = 'Interrupted';
  }
}

/**
 * Command that this script has started, and that must end before the script does. `end` asks the command to stop, `kill` forces
 * it to. `isPatient`: true if the command must not be cut short, because that could leave the system half-configured.
 * @typedef {{ name: string, isPatient: boolean, end: () => void, kill: () => void }} RunningCommand
 */

/**
 * Handles INT, TERM and HUP while a script prepares something. It ends the running commands and waits for them, so that locks
 * are released and folders removed as usual. A second Ctrl-C kills the commands. If no command is running, the script exits.
 */
export class Interruption {
  /** @type {Set<RunningCommand>} */
  #commands = new Set();
  /** @type {{ signal: NodeJS.Signals, at: number } | undefined} */
  #request;

  /** @param {{ now?: () => number, exit?: (code: number) => void }} [outside] */
  constructor({ now = () => performance.now(), exit = (code) => process.exit(code) } = {}) {
    this.now = now;
    this.exit = exit;
  }

  /** Exit code in the form that shells use: 128 + the number of the signal; undefined unless a stop was requested. */
  get exitCode() {
    return this.#request && 128 + constants.signals[this.#request.signal];
  }

  /** @param {NodeJS.Signals} signal @param {(message: string) => void} tell */
  request(signal, tell) {
    if (this.#request === undefined) {
      this.#request = { signal, at: this.now() };
      this.#endAll(tell);
    } else if (this.now() - this.#request.at > ECHO_MS) {
      for (const command of this.#commands) command.kill();
    }
  }

  #endAll(/** @type {(message: string) => void} */ tell) {
    if (this.#commands.size === 0) return this.exit(Number(this.exitCode));
    for (const command of this.#commands) {
      tell(
        command.isPatient
          ? `waiting for ${command.name} to end by itself: cut short, it could leave the system half-configured`
          : `stopping ${command.name}; Ctrl-C again kills it`,
      );
      command.end();
    }
  }

  /**
   * Registers a command as running during `task`. Once a stop is requested, no further command is started, and the result of a
   * running one is replaced by an `Interrupted` error.
   * @template T
   * @param {() => RunningCommand} start
   * @param {() => Promise<T>} task
   */
  async during(start, task) {
    if (this.#request) throw new Interrupted();
    const command = start();
    this.#commands.add(command);
    try {
      const result = await task();
      if (this.#request) throw new Interrupted();
      return result;
    } finally {
      this.#commands.delete(command);
    }
  }
}

/** Global, because signals concern the whole process. */
export const interruption = new Interruption();
