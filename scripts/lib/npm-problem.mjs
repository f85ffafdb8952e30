import { ScriptError } from './entry.mjs';

const NETWORK_CODES =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EIDLETIMEOUT|ECONNECTIONTIMEOUT|ERR_SOCKET_TIMEOUT)\b/;

const NETWORK_REMEDY =
  'Check the network and, where there is one, the proxy; "npm config get registry" and "npm config get https-proxy" show ' +
  'what npm uses. Then run the same command again.';

const FULL_DISK = /\b(ENOSPC|EDQUOT)\b/;

/** How long to wait between tries is npm's own matter by default: half a minute and more, without a word. */
export const FEW_RETRIES = [
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/** Why npm could not reach its registry, by what it printed: the code of the network error; undefined for other failures. */
export function networkCode(/** @type {string} */ output) {
  return npmErrors(output).match(NETWORK_CODES)?.[1];
}

/**
 * The failure of an npm command in words. What is not understood is shown as npm said it.
 * @param {string} what names the step @param {string} how as in "exit code 1" @param {string} output
 */
export function npmFailure(what, how, output) {
  const code = networkCode(output);
  if (code !== undefined) return unreachable(what, code, output);
  const errors = npmErrors(output) || output.trim();
  const remedy = FULL_DISK.test(errors)
    ? 'The disk is full: make room where npm was writing, then run the same command again.'
    : 'npm’s own words above say why; run the same command again when that is mended.';
  return new ScriptError(`${what} failed: ${how} from npm.\n${errors.slice(-4000)}`, remedy);
}

/** @param {string} what @param {string} reason @param {string} output what npm printed, which names the registry */
export function unreachable(what, reason, output) {
  const registry = /https?:\/\/[^\s/"]+/.exec(npmErrors(output))?.[0];
  const name = registry === undefined ? 'the package registry' : `the package registry ${registry}`;
  return new ScriptError(`${what} failed: ${name} cannot be reached (${reason}).`, NETWORK_REMEDY);
}

/** What npm says about errors, without its pointers to files and texts. */
function npmErrors(/** @type {string} */ output) {
  return output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .join('\n');
}
