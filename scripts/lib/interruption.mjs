import { constants } from 'node:os';

/** A terminal's Ctrl-C comes a second time from npm, which passes signals on; a person is not as fast. */
const ECHO_MS = 500;

/** What a wait ends with when this script is asked to stop. */
export class Interrupted extends Error {
  constructor() {
    super('stopped before it was done');
    this.name = 'Interrupted';
  }
}

/**
 * Something that runs for this script and must be gone before the script is. `end` asks it to stop, `kill` does not ask.
 * @typedef {{ name: string, isPatient: boolean, end: () => void, kill: () => void }} RunningCommand
 */

/**
 * What INT, TERM and HUP do while a script prepares something: running commands are ended and waited for, so that locks
 * are held and folders removed in the usual way; the second Ctrl-C kills. With nothing running the script just exits.
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

  /** 128 + the number of the signal, as shells count, or undefined when nobody asked. */
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
   * Counts a command as running for as long as `task` takes. After a request none begins, and none ends well.
   * @template T
   * @param {() => RunningCommand} start @param {() => Promise<T>} task
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

/** That of this process: signals are a matter of the whole process, so this is, too. */
export const interruption = new Interruption();
