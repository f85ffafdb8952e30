import { describeFileError } from './file-errors.mjs';
import { Interrupted, interruption } from './interruption.mjs';
import { ScriptError } from './script-error.mjs';

export { ScriptError };

const MINIMUM_NODE = [20, 19];

/** Prints a message for the user to stderr, because stdout is for the output of the command. */
export function note(/** @type {string} */ message) {
  process.stderr.write(`mcp-control-panel: ${message}\n`);
}

/** Prints a line of the command's output. */
export function print(/** @type {string} */ line) {
  process.stdout.write(`${line}\n`);
}

/** @param {unknown} error */
export function describeError(error) {
  if (error instanceof ScriptError)
    return error.remedy ? `${error.message}\n  ${error.remedy}` : error.message;
  const problem = describeFileError(error);
  if (problem !== undefined) return describeError(problem);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Handles SIGINT, SIGTERM and SIGHUP. The default handler ends the commands that the script has started and waits for them (see
 * interruption.mjs). A script may replace the handler.
 */
export class StopSignals {
  /** @type {(signal: NodeJS.Signals) => void} */
  handle = (signal) => interruption.request(signal, note);

  constructor() {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => this.handle(signal));
    }
  }
}

/**
 * Runs a script. The exit code is the result of `main`; or 1 after a failure, which is printed to stderr; or 128 + the signal's
 * number if the script was stopped early.
 * @param {(stop: StopSignals) => Promise<number | void>} main
 */
export async function runEntry(main) {
  tolerateClosedOutput();
  try {
    requireNode(process.versions.node);
    process.exitCode = (await main(new StopSignals())) ?? 0;
  } catch (error) {
    if (!(error instanceof Interrupted)) note(describeError(error));
    process.exitCode = 1;
  }
  if (interruption.exitCode === undefined) return;
  note('stopped before it was done; nothing is left running, and the same command goes on from here');
  process.exitCode = interruption.exitCode;
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

/** Ignores errors of a closed output (`npm start | head`, a closed terminal), because they must not end the panel. */
function tolerateClosedOutput() {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
