import { ScriptError } from './entry.mjs';

const NETWORK_CODES =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EIDLETIMEOUT|ECONNECTIONTIMEOUT|ERR_SOCKET_TIMEOUT)\b/;

const AGAIN = 'Then run the same command again.';
const NETWORK_REMEDY =
  'Check the network and, where there is one, the proxy; "npm config get registry" and "npm config get https-proxy" show ' +
  `what npm uses. ${AGAIN}`;

/** npm options for short waits between retries, because npm waits half a minute or longer by default, without output. */
export const FEW_RETRIES = [
  '--fetch-retries=2',
  '--fetch-retry-factor=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Error lines of npm's output. `registry` is the registry's address, for outputs that do not contain it.
 * @typedef {{ errors: string, registry?: string | undefined }} Said
 * @typedef {{ message: string, remedy: string }} Words text for the user; `message` is printed after "… failed: "
 */

/**
 * Texts of failures by npm's code; the first match counts. @type {[RegExp, (said: Said, code: string) => Words | undefined][]}
 */
const CAUSES = [
  [/^(?:ENOSPC|EDQUOT)$/, fullDisk],
  [NETWORK_CODES, (said, code) => unreachableWords(said, code)],
  [/^E407$/, proxySignIn],
  [/^(?:E401|ENEEDAUTH)$/, signIn],
  [/^E403$/, forbidden],
  [/^(?:E404|ETARGET)$/, missing],
  [/^E5\d\d$/, serverError],
  [/^EINTEGRITY$/, otherContent],
  [/^(?:EACCES|EPERM|EROFS)$/, refusedCache],
];

/** Returns the error code in npm's output if a request to its registry failed; undefined for other failures. */
export function registryCode(/** @type {string} */ output) {
  const errors = npmErrors(output);
  return errors.match(NETWORK_CODES)?.[1] ?? /^npm \S+ code (E(?:40[1347]|5\d\d))$/m.exec(errors)?.[1];
}

/**
 * Describes the failure of an npm command. A failure of unknown cause is described with npm's own text.
 * @param {string} what names the step
 * @param {string} how such as "exit code 1"
 * @param {string} output
 * @param {string} [registry] address of the registry in use
 */
export function npmFailure(what, how, output, registry) {
  const errors = npmErrors(output);
  const words = causeOf({ errors, registry });
  if (words !== undefined) return new ScriptError(`${what} failed: ${words.message}`, words.remedy);
  const said = errors || output.trim();
  if (said !== '')
    return new ScriptError(
      `${what} failed: ${how} from npm.\n${said.slice(-4000)}`,
      `npm’s message above has the reason. Fix it, then run the same command again.`,
    );
  const isKilled = how.includes('SIGKILL');
  return new ScriptError(
    `${what} failed: npm ended with ${how}, without a message.`,
    isKilled
      ? 'Another program ended npm, or the system ran out of memory. Run the same command again.'
      : 'Run the same command again.',
  );
}

/**
 * Describes a registry that does not answer at all.
 * @param {string} what @param {string} reason
 * @param {string} [registry] address of the registry in use
 */
export function unreachable(what, reason, registry) {
  const { message, remedy } = unreachableWords({ errors: '', registry }, reason);
  return new ScriptError(`${what} failed: ${message}`, remedy);
}

/** @param {Said} said @returns {Words | undefined} */
function causeOf(said) {
  // A full disk and network errors are also searched for in the text, because some errors have no code. If there are several
  // codes, the order of CAUSES decides.
  const codes = [...said.errors.matchAll(/^npm \S+ code (\S+)/gm)].map(([, code = '']) => code);
  const inText = /\b(ENOSPC|EDQUOT)\b/.exec(said.errors) ?? NETWORK_CODES.exec(said.errors);
  if (inText?.[1] !== undefined) codes.unshift(inText[1]);
  for (const [pattern, words] of CAUSES) {
    const code = codes.find((one) => pattern.test(one));
    const found = code === undefined ? undefined : words(said, code);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {Said} said */
function fullDisk({ errors }) {
  const path = /^npm \S+ path (.+)$/m.exec(errors)?.[1];
  const where = path === undefined ? 'where npm was writing' : `for "${path}"`;
  return { message: `the disk is full ${where}.`, remedy: `Make room there. ${AGAIN}` };
}

/** @param {Said} said @param {string} reason */
function unreachableWords(said, reason) {
  return { message: `${registryOf(said)} cannot be reached (${reason}).`, remedy: NETWORK_REMEDY };
}

/** @param {Said} said */
function proxySignIn(said) {
  return {
    message: `the proxy on the way to ${registryOf(said)} asks for a sign-in (407).`,
    remedy:
      'Give npm the proxy with your name and password: npm config set https-proxy "http://NAME:PASSWORD@HOST:PORT" ' +
      `("npm config get https-proxy" and HTTPS_PROXY show the one in use). ${AGAIN}`,
  };
}

/** @param {Said} said @param {string} code */
function signIn(said, code) {
  const url = urlIn(said);
  return {
    message: `${registryOf(said)} asks for a sign-in (${code}).`,
    remedy: `Sign in: npm login${url === undefined ? '' : ` --registry=${url}`}; or renew the token in ~/.npmrc. ${AGAIN}`,
  };
}

/** @param {Said} said */
function forbidden(said) {
  return {
    message: `${registryOf(said)}, or a proxy on the way, refuses access (E403).`,
    remedy:
      'Sign in with an account that may read there (npm login), or ask whoever runs it; "npm config get registry" shows ' +
      `which registry npm uses. ${AGAIN}`,
  };
}

/** @param {Said} said @param {string} code */
function missing(said, code) {
  const name = /'([^'\s]+)' (?:could not be found|is not in)|No matching version found for (\S+?)\.?$/m.exec(
    said.errors,
  );
  const what = name?.[1] ?? name?.[2] ?? 'one of the packages';
  return {
    message: `${registryOf(said)} does not have ${what} (${code}).`,
    remedy:
      'A mirror may lag behind, or need a sign-in to show it. Use a registry that has it: npm config set registry URL. ' +
      AGAIN,
  };
}

/** @param {Said} said @param {string} code */
function serverError(said, code) {
  return {
    message: `${registryOf(said)} answers with an error of its own (${code}).`,
    remedy:
      'Wait a minute, then run the same command again. If it stays, use another registry: npm config set registry URL.',
  };
}

/** @param {Said} said @param {string} code */
function otherContent(said, code) {
  return {
    message: `a package from ${registryOf(said)} is not what package-lock.json names: its checksum differs (${code}).`,
    remedy:
      'Run "npm cache verify", then the same command again. If it stays, the registry or a proxy on the way changes packages: ' +
      'use another one.',
  };
}

/** @param {Said} said @param {string} code */
function refusedCache({ errors }, code) {
  const told = /chown -R \S+ "([^"]+)"/.exec(errors)?.[1];
  const cache = told ?? /^npm \S+ path (.+?)[\\/]_cacache(?:[\\/]|$)/m.exec(errors)?.[1];
  if (cache === undefined) return undefined; // The error is about another folder, which npm itself names.
  return {
    message: `npm may not write to its cache "${cache}" (${code}).`,
    remedy: `Make the folder yours: sudo chown -R "$(id -un)" "${cache}". ${AGAIN}`,
  };
}

/** @param {Said} said */
function registryOf(said) {
  const url = urlIn(said);
  return url === undefined ? 'the package registry' : `the package registry ${url}`;
}

/** @param {Said} said */
function urlIn({ errors, registry }) {
  const found = /https?:\/\/[^\s"]+/.exec(errors)?.[0] ?? registry;
  try {
    return found === undefined ? undefined : new URL(found).origin;
  } catch {
    return undefined;
  }
}

/** Returns npm's lines about errors, without its references to log files and documentation. */
function npmErrors(/** @type {string} */ output) {
  return output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line) && !/A complete log of this run/.test(line))
    .join('\n');
}
