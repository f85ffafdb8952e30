import { PanelError } from '../../../shared/error-codes.ts';
import { valueAt } from '../../../shared/own-value.ts';
import type { SecretPlace } from '../../../shared/ipc/topics/secrets.ts';
import { keySpans, type SecretSpan } from '../../../shared/secrets/known-forms.ts';
import {
  argumentSecrets,
  headerSecrets,
  urlSecrets,
  variableSecrets,
} from '../../../shared/secrets/secret-spans.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { referencesIn } from './references.ts';

/** A text in a definition that looks like a key and is written there in plain text. */
interface PlainSecret {
  readonly server: string;
  readonly place: SecretPlace;
  readonly span: SecretSpan;
  readonly value: string;
  /** Name of the variable, header or option. */
  readonly label: string;
}

const MIN_LENGTH = 4;
/** Everyday words that cannot be stored as secrets, because every occurrence of a secret's value is redacted. */
const EVERYDAY =
  /^(?:true|false|none|null|undefined|test|demo|admin|root|user|guest|password|passwd|secret|token|default|example|local(?:host)?|prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|debug|info|warn(?:ing)?|error|public|private|basic|bearer|http|https|stdio|main|master|latest|readonly|enabled|disabled)$/i;

/** @throws PanelError CONFIG_INVALID for a value that cannot be stored as a secret */
export function requireSecret(name: string, value: string): void {
  const reason =
    value.trim().length < MIN_LENGTH
      ? `it has fewer than ${MIN_LENGTH} characters`
      : EVERYDAY.test(value)
        ? 'it is a common word'
        : value.includes('\0')
          ? 'it contains a NUL character'
          : undefined;
  if (reason === undefined) return;
  throw new PanelError('CONFIG_INVALID', `The value for "${name}" cannot be kept a secret: ${reason}.`, {
    remedy: 'Every occurrence of this text would be redacted. Enter the value itself, or choose another one.',
    data: { field: 'value' },
  });
}

/** Returns the keys that a definition contains in plain text. At most one is returned for each text, usually the longest. */
export function plainSecretsOf(config: ServerConfig): readonly PlainSecret[] {
  const found = (place: SecretPlace, text: string, spans: readonly SecretSpan[], label: string) => {
    const kind = place[0] === 'headers' ? 'headers' : place[0] === 'url' ? 'url' : 'env';
    const references = referencesIn(text, kind);
    // A span after a "$" is left out: in `$${secret:NAME}` the first "$" escapes the reference, so the server would get it as
    // plain text.
    const free = spans.filter(
      ([start, end]) =>
        text.charAt(start - 1) !== '$' && references.every(({ from, to }) => end <= from || start >= to),
    );
    // In a header, the shortest span is preferred: it is the token without its scheme (such as `Bearer`).
    const lengthOf = ([start, end]: SecretSpan) => (place[0] === 'headers' ? start - end : end - start);
    const [span] = [...free].sort((one, other) => lengthOf(other) - lengthOf(one));
    const value = span && text.slice(...span);
    return span && value !== undefined && value.length >= MIN_LENGTH
      ? [{ server: config.name, place, span, value, label }]
      : [];
  };
  if (config.transport !== 'stdio')
    return [
      ...found(['url'], config.url, [...urlSecrets(config.url), ...keySpans(config.url)], 'URL'),
      ...Object.entries(config.headers).flatMap(([name, text]) =>
        found(['headers', name], text, headerSecrets(name, text), name),
      ),
    ];
  const { command, args, env } = config;
  const ofArguments = argumentSecrets(command, args);
  return [
    ...args.flatMap((text, index) =>
      found(
        ['args', index],
        text,
        ofArguments[index] ?? [],
        optionOf(text, args[index - 1]) ?? `argument ${index + 1}`,
      ),
    ),
    ...Object.entries(env).flatMap(([name, text]) =>
      found(['env', name], text, variableSecrets(name, text), name),
    ),
  ];
}

/** Returns the option or name to which a value belongs, as in `--token X`, `--token=X`, `TOKEN=X`. */
function optionOf(text: string, before: string | undefined): string | undefined {
  const own = /^-{0,2}([A-Za-z][\w-]{0,63})[=:]/.exec(text)?.[1];
  return own ?? /^--?([A-Za-z][\w-]{1,63})$/.exec(before ?? '')?.[1];
}

/** Returns a free name for a secret. @param taken names in use with their values; a name may be reused for the same value */
export function suggestName(
  { server, label, value }: Pick<PlainSecret, 'server' | 'label' | 'value'>,
  taken: ReadonlyMap<string, string>,
): string {
  const clean = (text: string) => text.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60);
  const isOwn = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(label);
  const base = isOwn ? clean(label) : clean(`${server}_${label}`);
  const isFree = (name: string) => (taken.get(name) ?? value) === value;
  for (let count = 2, name = base; ; count += 1) {
    if (isFree(name)) return name;
    name = `${base}_${count}`;
  }
}

/** Text at a path in an entry; undefined if there is none. */
export function textAt(entry: unknown, place: SecretPlace): string | undefined {
  const at = valueAt(entry, place);
  return typeof at === 'string' ? at : undefined;
}
