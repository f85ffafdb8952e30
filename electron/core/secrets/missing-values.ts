import type { AskHints } from '../config/import/entry-asks.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { MissingAnswers, MissingValue } from '../../../shared/ipc/topics/secrets.ts';
import { isSecretName } from '../../../shared/secrets/secret-names.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { requireSecret, suggestName } from './plain-secrets.ts';
import { replaceReferences, type Reference } from './references.ts';
import { referencesOf, secretOfInput, type PlacedReference, type PlaceInEntry } from './resolve-config.ts';

/** Displayed name of a missing value. A placeholder is named after the variable or header that contains it. */
export const missingLabel = ({
  place: [part, key],
  reference: { kind, name },
}: Pick<PlacedReference, 'place' | 'reference'>): string =>
  kind === 'placeholder' && (part === 'env' || part === 'headers') ? String(key) : name;

/**
 * Describes the missing values for the user. A `${…}` that occurs several times is described once. @param hints by placeholder
 * text, from the `inputs` in servers.json
 */
export function describeMissing(
  missing: readonly PlacedReference[],
  hints: AskHints,
): readonly MissingValue[] {
  const asks = new Map<string, MissingValue>();
  for (const { place, reference } of missing) {
    const { kind, name, text } = reference;
    if (kind === 'known' || kind === 'literal') continue;
    const hint = hints.get(text);
    const key = text.startsWith('${') ? text : JSON.stringify([place, text]);
    asks.set(key, {
      name,
      label: missingLabel({ place, reference }),
      kind,
      isSecret: kind === 'secret' || (hint?.isSecret ?? [name, String(place.at(-1))].some(isSecretName)),
      place: [...place],
      ...(hint?.description !== undefined && { hint: hint.description }),
    });
  }
  return [...asks.values()];
}

/**
 * What to write after the user has entered missing values: secrets by name, changed texts of the entry, and placeholder-like
 * texts that the user wants to be used literally.
 */
interface AnswerPlan {
  readonly secrets: ReadonlyMap<string, string>;
  readonly texts: readonly { readonly path: PlaceInEntry; readonly from: string; readonly value: string }[];
  readonly kept: readonly string[];
}

/** Plans what the user's answers change. @throws PanelError CONFIG_CONFLICT, CONFIG_INVALID; then nothing may be written */
export function planAnswers(
  config: ServerConfig,
  missing: readonly PlacedReference[],
  { answers }: MissingAnswers,
  taken: ReadonlyMap<string, string>,
): AnswerPlan {
  const secrets = new Map<string, string>();
  const kept: string[] = [];
  const replacements: { readonly at: PlacedReference; readonly by: string }[] = [];
  for (const { place, ask, name, value, asSecret } of answers) {
    const at = missing.find(
      (one) => isSame(one.place, place) && (ask === undefined || one.reference.name === ask),
    );
    if (!at)
      throw new PanelError('CONFIG_CONFLICT', `${config.name}: nothing is missing at ${place.join('.')}.`);
    const { kind, text, name: known } = at.reference;
    if (kind === 'secret' || (kind === 'input' && asSecret)) {
      const secret = kind === 'secret' ? known : secretOfInput(known);
      requireSecret(secret, value);
      secrets.set(secret, value);
    } else if (asSecret) {
      const label = kind === 'variable' ? known : String(place.at(-1));
      const secret =
        name ?? suggestName({ server: config.name, label, value }, new Map([...taken, ...secrets]));
      requireSecret(secret, value);
      requireFree(secret, value, taken);
      secrets.set(secret, value);
      replacements.push({ at, by: `\${secret:${secret}}` });
    } else if (value === text) kept.push(text);
    else replacements.push({ at, by: asLiteral(value) });
  }
  return { secrets, kept, texts: textsWith(config, replacements) };
}

/** @throws PanelError CONFIG_CONFLICT if the name is in use for another value */
export function requireFree(name: string, value: string, taken: ReadonlyMap<string, string>): void {
  if ((taken.get(name) ?? value) === value) return;
  throw new PanelError('CONFIG_CONFLICT', `Another secret is called "${name}".`, {
    remedy: 'Choose another name.',
    data: { field: 'name' },
  });
}

/** Escapes a value that is written to a definition, where an unescaped `${` would start a reference. */
export const asLiteral = (value: string): string => value.replaceAll('${', () => '$${');

const isSame = (one: PlaceInEntry, other: PlaceInEntry): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

/**
 * Returns the texts that the answers change. An answer for a `${…}` applies wherever it occurs in the definition, because its
 * meaning is the same everywhere. An answer for any other placeholder applies only at the place that the question was about.
 */
function textsWith(
  config: ServerConfig,
  replacements: readonly { readonly at: PlacedReference; readonly by: string }[],
): AnswerPlan['texts'] {
  const byOf = ({ place, reference }: PlacedReference): string | undefined =>
    replacements.find(
      ({ at }) =>
        at.reference.text === reference.text &&
        (reference.text.startsWith('${') ||
          (isSame(at.place, place) && at.reference.from === reference.from)),
    )?.by;
  const byPlace = new Map<string, { place: PlaceInEntry; references: Reference[]; text: string }>();
  for (const { place, reference, source } of referencesOf(config)) {
    const known = byPlace.get(JSON.stringify(place)) ?? { place, references: [], text: source };
    known.references.push(reference);
    byPlace.set(JSON.stringify(place), known);
  }
  return [...byPlace.values()].flatMap(({ place, references, text }) => {
    const value = replaceReferences(text, references, (reference) =>
      byOf({ place, reference, source: text }),
    );
    return value === text ? [] : [{ path: place, from: text, value }];
  });
}
