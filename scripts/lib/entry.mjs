import { constants } from 'node:os';

const MINIMUM_NODE = [20, 19];

/** A failure the person can do something about: shown without a stack, with the remedy on a line of its own. */
export class ScriptError extends Error {
  /**
   * @param {string} message names the thing, what was expected and what was found
   * @param {string} [remedy] what to do about it
   */
  constructor(message, remedy) {
    super(message);
    this.name = 'ScriptError';
    this.remedy = remedy;
  }
}

/** Tells the person something. Always on stderr: stdout belongs to what a command promises to print. */
export function note(/** @type {string} */ message) {
  process.stderr.write(`mcp-control-panel: ${message}\n`);
}

/** @param {unknown} error */
export function describeError(error) {
  if (error instanceof ScriptError)
    return error.remedy ? `${error.message}\n  ${error.remedy}` : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * What INT, TERM and HUP do. A script that dies by a signal skips its clean-up, so they become an ordinary exit, on
 * which running children are ended (see run-command.mjs); a script may put its own handling in place.
 */
export class StopSignals {
  /** @type {(signal: NodeJS.Signals) => void} */
  handle = (signal) => process.exit(128 + constants.signals[signal]);

  constructor() {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => this.handle(signal));
    }
  }
}

/**
 * Runs a script: the exit code is what `main` returns, and a failure is told on stderr.
 * @param {(stop: StopSignals) => Promise<number | void>} main
 */
export async function runEntry(main) {
  tolerateClosedOutput();
  try {
    requireNode(process.versions.node);
    process.exitCode = (await main(new StopSignals())) ?? 0;
  } catch (error) {
    note(describeError(error));
    process.exitCode = 1;
  }
}

/** @param {string} found */
export function requireNode(found) {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = MINIMUM_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new ScriptError(
    `Node ${MINIMUM_NODE.join('.')} or newer is needed, this is Node ${found}.`,
    'Install a newer Node and run the same command again.',
  );
}

/** A reader that went away (`npm start | head`, a closed terminal) must not take the panel down with it. */
function tolerateClosedOutput() {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
