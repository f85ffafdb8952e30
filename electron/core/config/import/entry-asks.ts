import { isJsonObject } from '../../../../shared/json-object.ts';
import type { Ask, AskPlace } from '../../../../shared/manage.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { placeholdersIn, type FoundPlaceholder } from './find-placeholders.ts';
import { withoutEdges } from '../../../../shared/text-edges.ts';

/** What the author of an entry says about a placeholder that the user has to fill in. */
export interface AskHint {
  readonly description?: string | undefined;
  readonly isSecret?: boolean | undefined;
  readonly suggestion?: string | undefined;
  readonly kind?: Ask['kind'] | undefined;
}

/** Hints by the full text of the placeholder: `${input:token}`. */
export type AskHints = ReadonlyMap<string, AskHint>;

/** Returns hints from the list of inputs of VS Code. */
export function inputHints(inputs: unknown): AskHints {
  const list = Array.isArray(inputs) ? (inputs as unknown[]) : [];
  return new Map(
    list.flatMap((input): [string, AskHint][] => {
      if (!isJsonObject(input) || typeof input['id'] !== 'string') return [];
      const { id, description, password, default: suggestion } = input;
      const hint = { description: textOf(description), suggestion: textOf(suggestion) };
      return [[`\${input:${id}}`, password === true ? { ...hint, isSecret: true } : hint]];
    }),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

interface Place {
  readonly where: AskPlace;
  readonly key: string;
  readonly text: string;
  /** Label of the text's location for users: the name of the variable, or the option before an argument. */
  readonly label: string | undefined;
}

/** Maximum questions of one entry; an entry with more is not meant to be filled in by users. */
const MAX_ASKS = 64;

/** Returns a question for each placeholder in an entry; a `${…}` in several places yields one. */
export function asksOf(entry: ServerEntry, hints: AskHints = new Map()): readonly Ask[] {
  const asks = new Map<string, Ask>();
  for (const place of placesOf(entry))
    for (const found of openIn(place)) {
      const ask = askOf(place, found, hints);
      if (asks.size < MAX_ASKS && !asks.has(ask.id)) asks.set(ask.id, ask);
    }
  return [...asks.values()];
}

/** Returns the placeholders in a text. An empty value of a secret also counts, because no server accepts an empty secret. */
function openIn({ where, key, text }: Place): readonly FoundPlaceholder[] {
  const isFor = (where === 'env' || where === 'header') && text.trim() === '' && SECRET.test(key);
  return isFor ? [{ text, kind: 'value' }] : placeholdersIn(text, where);
}

function askOf({ where, key, label: placeLabel }: Place, found: FoundPlaceholder, hints: AskHints): Ask {
  const { text: placeholder, variable } = found;
  const hint = hints.get(placeholder) ?? {};
  const kind = hint.kind ?? found.kind;
  const label = hint.description ?? variable ?? placeLabel ?? wordsOf(placeholder);
  const suggestion = hint.suggestion ?? found.suggestion;
  return {
    id: placeholder.startsWith('${') ? placeholder : `${where}:${key}:${placeholder}`,
    label,
    secret: hint.isSecret ?? (kind !== 'path' && SECRET.test(`${label} ${key} ${placeholder}`)),
    where,
    key,
    placeholder,
    kind,
    ...(variable !== undefined && { variable }),
    ...(suggestion !== undefined && suggestion !== '' && { suggestion }),
  };
}

const SECRET =
  /token|secret|passw|pwd|credential|auth(?!ors?\b)|key|cookie|bearer|(?:^|[^a-z])pat(?:$|[^a-z])|(?:^|\s)(?:gh[a-z]_|sk-|xox[a-z]-)/i;

function placesOf({ command, args = [], env = {}, cwd, url, headers = {} }: ServerEntry): readonly Place[] {
  const one = (where: AskPlace, text: string | undefined): Place[] =>
    text === undefined ? [] : [{ where, key: where, text, label: undefined }];
  const fields = (where: AskPlace, texts: Readonly<Record<string, string>>): Place[] =>
    Object.entries(texts).map(([key, text]) => ({ where, key, text, label: key }));
  return [
    ...one('command', command),
    ...args.map((text, index): Place => ({
      where: 'args',
      key: String(index),
      text,
      label: optionBefore(text, args[index - 1]),
    })),
    ...fields('env', env),
    ...one('cwd', cwd),
    ...one('url', url),
    ...fields('header', headers),
  ];
}

/**
 * Returns the option or variable that an argument gives a value to: `--api-key` for `--api-key=<KEY>` and `--api-key <KEY>`,
 * `TOKEN` for `-e TOKEN=<KEY>`.
 */
function optionBefore(text: string, before: string | undefined): string | undefined {
  const own = /^(-{0,2}[A-Za-z][\w-]*)[=:](?![\\/])/.exec(text)?.[1];
  if (own !== undefined) return own;
  return before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && !/^-[yie]$/.test(before)
    ? before
    : undefined;
}

/** Converts `<YOUR_TOKEN>` and `YOUR_API_KEY_HERE` to words; any other text stays. */
function wordsOf(placeholder: string): string {
  const bare = withoutEdges(placeholder, '<[{%$>]}');
  return /^[\w -]+$/.test(bare) && /[A-Za-z]/.test(bare)
    ? bare.replace(/[_-]+/g, ' ').trim().toLowerCase()
    : placeholder;
}
