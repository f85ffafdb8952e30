import type { ServerConfig } from '../../../shared/server-config.ts';

/** A name whose value is a secret, whatever its length. */
const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|(^|[_-])pass$|key$|apikey|credential|auth(?!or)|cookie|private|signature|dsn$/i;
/** Headers that say nothing of their sender. */
const PLAIN_HEADER =
  /^(accept|accept-.*|content-.*|user-agent|cache-control|connection|host|mcp-protocol-version)$/i;
/** Values that stand in every other text: to black them out would hide what happened, and protect nothing. */
const PLAIN_VALUE =
  /^(production|development|staging|localhost|127\.0\.0\.1|verbose|warning|disabled|enabled|[\d.:]+|(~|\.{0,2}|[a-z]:)[\\/][\w\s@%+=:,.\\/-]*)$/i;
const MIN_PLAIN_LENGTH = 8;

/**
 * What a configuration holds that must not show: values of variables, headers, options and URLs whose name says so, and
 * every other value of a variable or a header with 8 characters or more that is no path, number or everyday word.
 */
export function secretsOf(config: ServerConfig): readonly string[] {
  const found =
    config.transport === 'stdio'
      ? [...variables(config.env), ...options(config.args)]
      : [...headers(config.headers), ...urlSecrets(config.url)];
  return [...new Set(found)].filter((secret) => secret !== '');
}

function variables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) || isTelling(value) ? [value, ...urlSecrets(value)] : urlSecrets(value),
  );
}

function headers(values: Readonly<Record<string, string>>): string[] {
  const telling = Object.entries(values).filter(
    ([name, value]) => !PLAIN_HEADER.test(name) && isTelling(value),
  );
  // The credential is a secret without its scheme too.
  return telling.flatMap(([, value]) => [value, value.replace(/^[A-Za-z]+\s+/, '')]);
}

/** `--token abc`, `--token=abc`, `TOKEN=abc`, and URLs with a password. */
function options(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [name = '', ...rest] = arg.split('=');
    const value = rest.length > 0 ? rest.join('=') : arg.startsWith('-') ? args[index + 1] : undefined;
    const isSecret = SECRET_NAME.test(name) && value !== undefined && !value.startsWith('-');
    return isSecret ? [value, ...urlSecrets(arg)] : urlSecrets(arg);
  });
}

/** The password of a URL and its telling parameters, as they are and decoded; none of what is no URL. */
function urlSecrets(text: string): string[] {
  if (!text.includes('://')) return [];
  try {
    const url = new URL(text.slice(text.search(/[a-z][a-z0-9+.-]{1,20}:\/\//i)));
    const userInfo = url.password === '' ? url.username : url.password;
    const parameters = [...url.searchParams]
      .filter(([name]) => SECRET_NAME.test(name))
      .map(([, value]) => value);
    return [userInfo, decode(userInfo), ...parameters].filter((value) => value !== '');
  } catch {
    return [];
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isTelling(value: string): boolean {
  return value.length >= MIN_PLAIN_LENGTH && !PLAIN_VALUE.test(value);
}
