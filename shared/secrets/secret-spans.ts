import { isPackageRunner } from '../package-run.ts';
import { keySpans, type SecretSpan } from './known-forms.ts';
import { isReference, isSecretName, isSecretParameter, isSecretValue, looksRandom } from './secret-names.ts';

/** Options such as `--env NAME=value` of docker, podman and many clients. Their value is treated like `env` of an entry. */
const ENV_OPTION = /^(?:-e|--env|--env-var|--environment|--build-arg)$/;
const HEADER_OPTION = /^(?:-H|--headers?|--http-headers?|--extra-headers?)$/;
/** Short options that often take a key. Other letters usually take ports, packages and folders. */
const KEY_OPTION = /^-[kK]$/;
/** Options whose value is only sometimes a secret. A value counts as a secret only if it looks random. */
const LETTER_OPTION = /^-[a-zA-Z]$/;
const USER_OPTION = /^(?:-u|-U|--user|--basic|--basic-auth|--userpwd|--proxy-user)$/;
const CONNECTION_OPTION = /^--?connection[-_]?(?:string|uri|url)$/i;
/** Options after which the next argument is not a secret: a package, a port or a module. */
const PACKAGE_OPTION = /^(?:-[ypm]|--yes|--package|--from|--with|--module)$/;
/** Options that take a script. The script's text must stay visible, so only words in it that look random count as secrets. */
const SCRIPT_OPTION = /^(?:-[a-z]{0,3}c|\/c|--command|--call|--eval)$/i;
const EVAL_OPTION = /^-[eEpr]$/;
const INTERPRETER = /(?:^|[\\/])(?:node|bun|deno|ruby|perl|php)(?:\.exe)?$/i;
/** Headers whose values are not secrets, because they do not identify the sender. */
const PLAIN_HEADER =
  /^(?:accept|accept-.*|content-.*|user-agent|cache-control|connection|host|mcp-protocol-version)$/i;
const URLS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi;
/**
 * Pairs such as name=value, name: value, or "name": "value", anywhere in an argument. The name is matched backwards from its
 * end, because in a long word a name could start at every character, which would make the search slow.
 */
const ASSIGNMENTS =
  /(?=["'\s=:])(?<=([\w.-]{1,64}))(?<!\$\{[\w.-]{1,64})["']?\s{0,3}[=:]\s{0,3}("[^"]*"|'[^']*'|[^\s"',;&]+)/g;
const WORDS = /"([^"]*)"|'([^']*)'|[^\s"']+/g;
const MAX_SHELL_DEPTH = 3;
/**
 * Maximum words of a command line that are checked in full, because a full check takes a dozen scans. In longer command lines,
 * only the form of each word is checked.
 */
const MAX_WORDS = 2000;

/** Returns true if a value after a secret's name is a secret. */
type IsSecret = (value: string) => boolean;

/**
 * Returns the secrets in each argument. They are recognized by the option before the argument, by a name within it, by the form
 * of the secret, or as part of a URL. The name of the package that is run is not a secret.
 */
export function argumentSecrets(
  command: string,
  args: readonly string[],
): readonly (readonly SecretSpan[])[] {
  return secretsOfWords([command, ...args], isSecretValue, 0).slice(1);
}

function secretsOfWords(
  words: readonly string[],
  isSecret: IsSecret,
  depth: number,
): readonly (readonly SecretSpan[])[] {
  const runner = words.findIndex(isPackageRunner);
  const ran = words.findIndex((word, index) => runner !== -1 && index > runner && !word.startsWith('-'));
  const interpreter = words.findIndex((word) => INTERPRETER.test(word));
  return words.map((word, index): readonly SecretSpan[] => {
    const before = words[index - 1] ?? '';
    // The words of a nested command line are not searched for these forms again, because the whole nested command line was
    // already searched.
    const always = depth > 0 ? [] : [...urlSecrets(word), ...keySpans(word)];
    if (index === ran || PACKAGE_OPTION.test(before)) return always;
    const isScript =
      SCRIPT_OPTION.test(before) ||
      (interpreter !== -1 && interpreter < index - 1 && EVAL_OPTION.test(before));
    const isSecretHere = isScript ? looksRandom : isSecret;
    return [
      ...always,
      ...(isScript ? [] : behindOption(word, before, isSecret)),
      ...(isScript ? [] : attachedSecrets(word, isSecret)),
      ...(depth > 0 ? [] : assignmentsIn(word, isSecretHere)),
      ...randomWord(word),
      ...(depth < MAX_SHELL_DEPTH ? inLine(word, isSecretHere, depth) : []),
    ];
  });
}

/** Returns the secrets of every URL in a text: the password, secret parameters, and random-looking parts of the path. */
export function urlSecrets(text: string): readonly SecretSpan[] {
  return [...text.matchAll(URLS)].flatMap(({ 0: url, index }) => [
    ...shifted(partsOfUrl(url), index),
    ...shifted(keySpans(url), index),
  ]);
}

/** Returns the credential of a header, once with its scheme and once without it; empty for plain headers. */
export function headerSecrets(name: string, value: string): readonly SecretSpan[] {
  if (PLAIN_HEADER.test(name)) return [];
  const scheme = /^[A-Za-z]+\s+(?=\S)/.exec(value)?.[0].length ?? 0;
  const isSecret = isSecretName(name) ? isSecretValue(value) : looksRandom(value.slice(scheme));
  if (!isSecret) return keySpans(value);
  return scheme === 0
    ? [[0, value.length]]
    : [
        [0, value.length],
        [scheme, value.length],
      ];
}

/** Returns the secret parts of a variable's value. */
export function variableSecrets(name: string, value: string): readonly SecretSpan[] {
  const isWhole = isSecretName(name) ? isSecretValue(value) : looksRandom(unquoted(value));
  return [
    ...(isWhole ? wholeOf(value) : []),
    ...assignmentsIn(value, isSecretValue),
    ...urlSecrets(value),
    ...keySpans(value),
  ];
}

function behindOption(arg: string, option: string, isSecret: IsSecret): readonly SecretSpan[] {
  if (ENV_OPTION.test(option)) return assignment(arg, variableSecrets);
  if (HEADER_OPTION.test(option)) return assignment(arg, headerSecrets);
  if (arg.startsWith('-') && !looksRandom(arg)) return [];
  if (USER_OPTION.test(option)) return passwordOf(arg);
  if (KEY_OPTION.test(option)) return /^[\w.~+=-]+$/.test(arg) && isSecret(arg) ? wholeOf(arg) : [];
  if (CONNECTION_OPTION.test(option)) return looksRandom(arg) ? wholeOf(arg) : [];
  if (LETTER_OPTION.test(option)) return looksRandom(arg) ? wholeOf(arg) : [];
  return option.startsWith('-') &&
    !option.includes('=') &&
    isSecretName(option.replace(/^-+/, '')) &&
    isSecret(arg)
    ? wholeOf(arg)
    : [];
}

/** Returns secrets after an option or a name in the same argument: `--token=value`, `TOKEN=value`, `-eNAME=value`, `-kKEY`. */
function attachedSecrets(arg: string, isSecret: IsSecret): readonly SecretSpan[] {
  const [, option = '', rest = ''] = /^(--[\w-]+|-[a-zA-Z])=?([\s\S]*)$/.exec(arg) ?? [];
  const start = arg.length - rest.length;
  const attached =
    rest === ''
      ? []
      : arg[start - 1] === '='
        ? behindOption(rest, option, isSecret)
        : attachedTo(option, rest);
  return [...shifted(attached, start), ...wholeValue(arg, isSecret)];
}

/** Returns secrets that follow a short option directly: `-eNAME=value`, `-HName: value`, `-kKEY`. */
function attachedTo(option: string, rest: string): readonly SecretSpan[] {
  if (option.startsWith('--')) return [];
  if (ENV_OPTION.test(option)) return assignment(rest, variableSecrets);
  if (HEADER_OPTION.test(option)) return assignment(rest, headerSecrets);
  return looksRandom(rest) ? wholeOf(rest) : [];
}

/** Returns the secret of an argument such as `TOKEN=value` or `--token=value`, which extends to the end of the argument. */
function wholeValue(arg: string, isSecret: IsSecret): readonly SecretSpan[] {
  const [, head = '', name = ''] = /^(-{0,2}([\w.-]{1,64})[=:]\s*)/.exec(arg) ?? [];
  const value = arg.slice(head.length);
  return head !== '' && isSecretName(name) && isSecret(value) && !value.startsWith('//')
    ? shifted(wholeOf(value), head.length)
    : [];
}

function assignmentsIn(text: string, isSecret: IsSecret): readonly SecretSpan[] {
  return [...text.matchAll(ASSIGNMENTS)].flatMap(({ 0: all, 1: name = '', 2: value = '', index }) =>
    (isSecretName(name) && isSecret(unquoted(value)) && !value.startsWith('//')) ||
    randomWord(unquoted(value)).length > 0
      ? shifted(wholeOf(value), index + all.length - value.length)
      : [],
  );
}

/** Returns the whole word as a secret if it looks random, even without a name before it; otherwise nothing. */
function randomWord(arg: string): readonly SecretSpan[] {
  return arg.length >= 20 && looksRandom(arg) && /[a-z]/.test(arg) && /[A-Z]/.test(arg)
    ? [[0, arg.length]]
    : [];
}

/** Searches an argument that consists of several words as a command line of its own, as in `sh -c`. */
function inLine(arg: string, isSecret: IsSecret, depth: number): readonly SecretSpan[] {
  if (!/\s/.test(arg)) return [];
  const matches = [...arg.matchAll(WORDS)];
  if (matches.length > MAX_WORDS) return [];
  const words = matches.map((match) => {
    const text = match[1] ?? match[2] ?? match[0];
    return { text, start: match.index + (text.length < match[0].length ? 1 : 0) };
  });
  const found = secretsOfWords(
    words.map(({ text }) => text),
    isSecret,
    depth + 1,
  );
  return found.flatMap((spans, index) => shifted(spans, words[index]?.start ?? 0));
}

/** Returns the secrets of an argument that is a single pair: `NAME=value`, `Name: value`. */
function assignment(
  text: string,
  secretsOf: (name: string, value: string) => readonly SecretSpan[],
): readonly SecretSpan[] {
  const at = text.search(/[=:]/);
  if (at < 1) return [];
  const value = text.slice(at + 1).trimStart();
  const name = text.slice(0, at).trim().replace(/^["']/, '');
  return shifted(secretsOf(name, value), text.length - value.length);
}

function passwordOf(text: string): readonly SecretSpan[] {
  const colon = text.indexOf(':');
  // Numeric ids of a user and a group are not a name and password.
  if (/^\d+:\d+$/.test(text)) return [];
  const password = text.slice(colon + 1);
  return colon === -1 || password === '' || isReference(password) ? [] : [[colon + 1, text.length]];
}

function partsOfUrl(url: string): readonly SecretSpan[] {
  const authorityAt = url.indexOf('://') + 3;
  const pathAt = indexOrEnd(url, /[/?#]/g, authorityAt);
  const queryAt = indexOrEnd(url, /[?#]/g, authorityAt);
  // The last "@" ends the password, because passwords may contain an "@" and an unencoded "/".
  const at = url
    .slice(0, url.includes('@', pathAt) && !url.slice(authorityAt, pathAt).includes('@') ? queryAt : pathAt)
    .lastIndexOf('@');
  const user: SecretSpan[] = [];
  if (at >= authorityAt) {
    const isToken = isReference(url.slice(authorityAt, at));
    const colon = isToken ? -1 : url.slice(authorityAt, at).indexOf(':');
    const start = colon === -1 ? authorityAt : authorityAt + colon + 1;
    const isOpen = isReference(url.slice(start, at));
    if (start < at && !isOpen && (colon !== -1 || at < pathAt)) user.push([start, at]);
  }
  return [...user, ...inPath(url.slice(pathAt, queryAt), pathAt), ...inQuery(url.slice(queryAt), queryAt)];
}

/** Returns path segments that look random, or that follow the name of a secret ("/token/abc", "/s/abcdefgh"). */
function inPath(path: string, start: number): readonly SecretSpan[] {
  let before = '';
  return [...path.matchAll(/[^/]+/g)].flatMap(({ 0: segment, index }): readonly SecretSpan[] => {
    const isNamed =
      !isReference(segment) &&
      ((/^(?:token|key|secret|apikey|api[_-]key|auth)s?$/i.test(before) && segment.length >= 4) ||
        (before === 's' && segment.length >= 8));
    before = segment;
    const isSecret = isNamed || looksRandom(segment) || /^\d+:[\w-]{20,}$/.test(segment);
    return isSecret ? [[start + index, start + index + segment.length]] : [];
  });
}

/** Returns the secret values of parameters, and a random-looking fragment without a name. */
function inQuery(query: string, start: number): readonly SecretSpan[] {
  return [...query.matchAll(/[^?&#;]+/g)].flatMap(({ 0: part, index }): readonly SecretSpan[] => {
    const equals = part.indexOf('=');
    const value = part.slice(equals + 1);
    const isSecret =
      equals > 0 && isSecretParameter(part.slice(0, equals)) ? isSecretValue(value) : looksRandom(value);
    const end = start + index + part.length;
    return isSecret ? [[end - value.length, end]] : [];
  });
}

/** Returns the span of the value without quotes, because a server may repeat the value without the quotes that the user wrote. */
function wholeOf(value: string): readonly SecretSpan[] {
  const isQuoted = value !== unquoted(value);
  return isQuoted ? [[1, value.length - 1]] : [[0, value.length]];
}

function unquoted(value: string): string {
  const first = value.charAt(0);
  return value.length > 2 && /["']/.test(first) && value.endsWith(first) ? value.slice(1, -1) : value;
}

function shifted(spans: readonly SecretSpan[], by: number): readonly SecretSpan[] {
  return spans.map(([start, end]): SecretSpan => [start + by, end + by]);
}

function indexOrEnd(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Returns the text with each secret replaced by `placeholder`, or by what `placeholder` returns for the secret. */
export function withPlaceholders(
  text: string,
  spans: readonly SecretSpan[],
  placeholder: string | ((secret: string) => string),
): string {
  const shownFor = (start: number, end: number) =>
    typeof placeholder === 'string' ? placeholder : placeholder(text.slice(start, end));
  let shown = '';
  let copiedTo = 0;
  for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0])) {
    if (start >= copiedTo) shown += text.slice(copiedTo, start) + shownFor(start, end);
    copiedTo = Math.max(copiedTo, end);
  }
  return shown + text.slice(copiedTo);
}

/** Returns a copy of a JSON value with each text replaced by `map`, which gets the name of the text's field and the text. */
export const mapNamedTexts = <T>(value: T, map: (name: string, text: string) => string): T =>
  JSON.parse(JSON.stringify(value), (name, one: unknown) =>
    typeof one === 'string' ? map(name, one) : one,
  ) as T;
