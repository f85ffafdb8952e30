import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { PLACEHOLDER, type SecretSpan } from '../../../shared/secrets/known-forms.ts';
import {
  argumentSecrets,
  headerSecrets,
  urlSecrets,
  variableSecrets,
  withPlaceholders,
} from '../../../shared/secrets/secret-spans.ts';

/** The command line is shown up to this length, because an argument may be as long as a file. */
const MAX_TARGET_CHARACTERS = 2000;

/**
 * What a configuration holds that must not show: what stands behind a name or an option that says so (variables,
 * headers, arguments, parameters of URLs), passwords and random segments in URLs, what has the form of a key, and every
 * other value of a variable or a header that looks drawn by a machine. Each as it stands, and decoded where a URL holds it.
 */
export function secretsOf(config: ServerConfig): readonly string[] {
  const found =
    config.transport === 'stdio'
      ? [
          ...Object.entries(config.env).flatMap(([name, value]) =>
            cutOut(value, variableSecrets(name, value)),
          ),
          ...argumentSecrets(config.command, config.args).flatMap((spans, index) =>
            cutOut(config.args[index] ?? '', spans),
          ),
        ]
      : [
          ...Object.entries(config.headers).flatMap(([name, value]) =>
            cutOut(value, headerSecrets(name, value)),
          ),
          ...cutOut(config.url, urlSecrets(config.url)),
        ];
  return [...new Set(found.flatMap((secret) => [secret, decode(secret)]))].filter((secret) => secret !== '');
}

/** The command line or URL of a server, for people: without environment and headers, and with every secret in it blacked out in its place, however short. */
export function maskedTarget(config: ServerConfig): string {
  const text =
    config.transport === 'stdio'
      ? [config.command, ...maskedArguments(config)].join(' ')
      : maskedUrl(config.url);
  return text.length <= MAX_TARGET_CHARACTERS ? text : `${text.slice(0, MAX_TARGET_CHARACTERS)}…`;
}

/** The URL as people and logs may see it: without user, password, query and fragment, any of which may hold a secret, and with random segments of its path blacked out. */
export function maskedUrl(url: string | URL): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    const plain = `${protocol}//${host}${pathname}`;
    return withPlaceholders(plain, urlSecrets(plain), PLACEHOLDER);
  } catch {
    return 'an address that is no URL';
  }
}

function maskedArguments({ command, args }: StdioServerConfig): readonly string[] {
  return argumentSecrets(command, args).map((spans, index) =>
    withPlaceholders(args[index] ?? '', spans, PLACEHOLDER),
  );
}

function cutOut(text: string, spans: readonly SecretSpan[]): readonly string[] {
  return spans.map(([start, end]) => text.slice(start, end));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
