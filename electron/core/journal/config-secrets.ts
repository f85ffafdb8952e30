import type { ServerConfig } from '../../../shared/server-config.ts';
import { argumentSecrets, headerSecrets, urlSecrets, variableSecrets, type Span } from './secret-spans.ts';
import { PLACEHOLDER } from './secret-patterns.ts';

/** The command line is shown up to this length, because an argument may be as long as a file. */
const MAX_TARGET_CHARACTERS = 2000;

/**
 * What a configuration holds that must not show: what stands behind a name or an option that says so (variables,
 * headers, arguments, parameters of URLs), passwords and random segments in URLs, and every other value of a variable or
 * a header with 8 characters or more that is no path, number or everyday word. Each as it stands, and decoded where a
 * URL holds it.
 */
export function secretsOf(config: ServerConfig): readonly string[] {
  const found =
    config.transport === 'stdio'
      ? [
          ...Object.entries(config.env).flatMap(([name, value]) =>
            cutOut(value, variableSecrets(name, value)),
          ),
          ...argumentSecrets(config.args).flatMap((spans, index) => cutOut(config.args[index] ?? '', spans)),
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
      ? [config.command, ...maskedArguments(config.args)].join(' ')
      : maskedUrl(config.url);
  return text.length <= MAX_TARGET_CHARACTERS ? text : `${text.slice(0, MAX_TARGET_CHARACTERS)}…`;
}

/** The URL as people and logs may see it: without user, password, query and fragment, any of which may hold a secret, and with random segments of its path blacked out. */
export function maskedUrl(url: string | URL): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    const plain = `${protocol}//${host}${pathname}`;
    return mask(plain, urlSecrets(plain));
  } catch {
    return 'an address that is no URL';
  }
}

function maskedArguments(args: readonly string[]): readonly string[] {
  return argumentSecrets(args).map((spans, index) => mask(args[index] ?? '', spans));
}

function mask(text: string, spans: readonly Span[]): string {
  let masked = '';
  let copiedTo = 0;
  for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0])) {
    if (start >= copiedTo) masked += text.slice(copiedTo, start) + PLACEHOLDER;
    copiedTo = Math.max(copiedTo, end);
  }
  return masked + text.slice(copiedTo);
}

function cutOut(text: string, spans: readonly Span[]): readonly string[] {
  return spans.map(([start, end]) => text.slice(start, end));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
