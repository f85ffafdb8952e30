import { parsedUrl } from '../../../shared/parsed.ts';
import { createHmac } from 'node:crypto';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { showHiddenCharacters } from '../../../shared/hidden-characters.ts';
import {
  argumentSecrets,
  headerSecrets,
  mapNamedTexts,
  urlSecrets,
  variableSecrets,
  withPlaceholders,
} from '../../../shared/secrets/secret-spans.ts';
import type { SecretSpan } from '../../../shared/secrets/known-forms.ts';
import { packageRunOf } from '../../../shared/package-run.ts';
import type { PanelSettings } from '../../../shared/panel-settings.ts';
import { canonicalJson } from '../config/server-key.ts';

/** A definition for display: each secret is replaced by a mark of its own, and hidden characters are made visible. */
export interface ShownDefinition {
  /** All fields except the arguments, by their path: `command`, `env.TOKEN`. */
  readonly fields: readonly (readonly [path: string, text: string])[];
  readonly args: readonly string[];
  /** Names of the secrets that the server receives. */
  readonly secrets: readonly string[];
  /** Programs and hosts to which the server may pass the secrets. */
  readonly receivers: readonly string[];
}

const MARK_DIGITS = 8;
const REFERENCE = /\$\{(?:secret:|env:|input:)?([\w.-]{1,100})/g;
/** Matches a text that reveals no secret: only a `${…}` reference, perhaps after the scheme of a header (`Bearer ${TOKEN}`). */
const IS_REFERENCE = /^(?:\w{1,20} )?\$\{[^{}]{1,200}\}$/;
const ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>]{1,8192}/gi;

/**
 * Returns a keyed hash (HMAC) of the fields that consent is about: the connection, and the tool that the health check calls.
 * All these fields are hashed, whether they are secret or not. The rules for what counts as a secret may change between
 * versions, and such a change must not invalidate a consent.
 */
export function digestOf(config: ServerConfig, key: Buffer): string {
  const { check } = config.panel.health;
  const fields = { ...connectionFields(config), ...(check && { check }) };
  return createHmac('sha256', key).update(canonicalJson(fields)).digest('hex');
}

/**
 * Returns the settings in force: those on disk, except for two that need consent, which come from `agreed`: the engine that
 * runs the server (`runOn`), and the tool that the health check calls.
 */
export function settingsInForce(
  { runOn: _, health, ...others }: PanelSettings,
  agreed: PanelSettings,
): PanelSettings {
  const { runOn } = agreed;
  const { check } = agreed.health;
  return {
    ...others,
    ...(runOn && { runOn }),
    health: { ...withoutCheck(health), ...(check && { check }) },
  };
}

const withoutCheck = ({ check: _, ...health }: PanelSettings['health']) => health;

export function shownDefinition(config: ServerConfig, key: Buffer): ShownDefinition {
  const mark = (secret: string) =>
    IS_REFERENCE.test(secret)
      ? secret
      : `[secret ${createHmac('sha256', key).update(secret).digest('hex').slice(0, MARK_DIGITS)}]`;
  const found = new Set<string>();
  const show = (text: string, spans: readonly SecretSpan[], name: string) => {
    const references = Array.from(text.matchAll(REFERENCE), ([, reference = '']) => reference);
    if (references.length > 0) for (const reference of references) found.add(reference);
    else if (spans.length > 0) found.add(name);
    return showHiddenCharacters(withPlaceholders(text, spans, mark));
  };
  const named = (
    group: string,
    values: Readonly<Record<string, string>>,
    spansOf: (name: string, value: string) => readonly SecretSpan[],
  ) =>
    Object.entries(values)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => {
        const shownName = showHiddenCharacters(name);
        return [`${group}.${shownName}`, show(value, spansOf(name, value), shownName)] as const;
      });
  const type = ['type', config.transport] as const;
  const { check } = config.panel.health;
  const shownCheck =
    check && mapNamedTexts(check, (name, text) => show(text, variableSecrets(name, text), name));
  const calls = shownCheck
    ? [['health.check', showHiddenCharacters(canonicalJson(shownCheck))] as const]
    : [];
  const { runOn } = config.panel;
  const place = runOn ? [['runOn', showHiddenCharacters(canonicalJson(runOn))] as const] : [];
  if (config.transport !== 'stdio') {
    const { tls, url } = config;
    const fields = [
      type,
      ['url', show(url, urlSecrets(url), 'the secret in its address')] as const,
      ...named('headers', config.headers, headerSecrets),
      ...(tls ? ([['tls', canonicalJson(tls)]] as const) : []),
      ...place,
      ...calls,
    ];
    return { fields, args: [], secrets: [...found], receivers: hostsIn([url]) };
  }
  const { command, cwd, env } = config;
  const spans = argumentSecrets(command, config.args);
  const args = config.args.map((text, at) => show(text, spans[at] ?? [], `argument ${at + 1}`));
  const fields = [
    type,
    ['command', showHiddenCharacters(command)] as const,
    ...(cwd === undefined ? [] : [['cwd', showHiddenCharacters(cwd)] as const]),
    ...place,
    ...named('env', env, variableSecrets),
    ...calls,
  ];
  const receivers = [programOf(config, args), ...hostsIn([...config.args, ...Object.values(env)])];
  return { fields, args, secrets: [...found], receivers };
}

/**
 * Returns the runner and the package that the definition runs, without its version. If it runs no package, returns the command
 * with its arguments that are neither options nor addresses, because one of them may be a script.
 */
function programOf(config: ServerConfig & { transport: 'stdio' }, args: readonly string[]): string {
  const run = packageRunOf(config);
  const words = run?.packages.length
    ? [run.runner, ...run.packages]
    : [config.command, ...args.filter(isPlain)];
  return showHiddenCharacters(words.join(' '));
}

const isPlain = (word: string): boolean => !word.startsWith('-') && !/^https?:/i.test(word);

function hostsIn(texts: readonly string[]): readonly string[] {
  const addresses = texts.flatMap((text) => Array.from(text.matchAll(ADDRESS), ([address]) => address));
  const hosts = addresses.flatMap((address) => parsedUrl(address)?.host ?? []);
  return [...new Set(hosts)].map(showHiddenCharacters);
}
