import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { PLACEHOLDER, type SecretSpan } from '../../../shared/secrets/known-forms.ts';
import {
  argumentSecrets,
  headerSecrets,
  urlSecrets,
  variableSecrets,
  withPlaceholders,
} from '../../../shared/secrets/secret-spans.ts';
import { MIN_INNER_LENGTH } from './written-forms.ts';

/** Maximum characters of a displayed command line, because an argument may be as long as a file. */
const MAX_TARGET_CHARACTERS = 2000;

/**
 * Returns the secrets in a server's configuration: values whose name or option marks them as secret (in variables, headers,
 * arguments, health check arguments and URL parameters), passwords and random segments in URLs, texts that look like a key, and
 * every other value of a variable or header that looks machine-generated. Each secret is returned as written, and also decoded
 * if it is part of a URL.
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
  JSON.stringify(config.panel.health.check?.arguments, (name, value: unknown) => {
    if (typeof value === 'string') found.push(...cutOut(value, variableSecrets(name, value)));
    return value;
  });
  return [...new Set(found.flatMap((secret) => [secret, decode(secret)]))].filter((secret) => secret !== '');
}

/** Returns a server's command line or URL for display: no environment, no headers, and every secret redacted, however short. */
export function maskedTarget(config: ServerConfig): string {
  const text = config.transport === 'stdio' ? maskedCommandLine(config) : maskedUrl(config.url);
  return text.length <= MAX_TARGET_CHARACTERS ? text : `${text.slice(0, MAX_TARGET_CHARACTERS)}…`;
}

/**
 * Returns the URL for display and logs: without user, password, query and fragment, and with random path segments redacted,
 * because any of these may contain a secret.
 */
export function maskedUrl(url: string | URL): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    // Braces, which URLs encode, are decoded, so that references stay readable.
    const plain = `${protocol}//${host}${pathname.replaceAll('%7B', '{').replaceAll('%7D', '}')}`;
    return withPlaceholders(plain, urlSecrets(plain), PLACEHOLDER);
  } catch {
    return 'an address that is not a URL';
  }
}

/**
 * Returns the command line with every secret masked. A secret of at least `MIN_INNER_LENGTH` characters is also masked wherever
 * it is repeated without the option that marks it as secret; only the beginning of the text, four times the displayed length,
 * is searched for repetitions.
 */
function maskedCommandLine({ command, args }: StdioServerConfig): string {
  const spans = argumentSecrets(command, args);
  const secrets = new Set(spans.flatMap((own, index) => cutOut(args[index] ?? '', own)));
  const masked = args.map((arg, index) => withPlaceholders(arg, spans[index] ?? [], PLACEHOLDER));
  return [...secrets]
    .filter(({ length }) => length >= MIN_INNER_LENGTH)
    .reduce(
      (text, secret) => text.replaceAll(secret, PLACEHOLDER),
      [command, ...masked].join(' ').slice(0, 4 * MAX_TARGET_CHARACTERS),
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
