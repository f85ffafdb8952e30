import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { MASK, toJsonText } from './entry-json.ts';
import { entryValueAt, isSameJson, withKey, withValueAt, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';
import {
  argumentSecrets,
  mapNamedTexts,
  urlSecrets,
  variableSecrets,
  withPlaceholders,
} from '../../shared/secrets/secret-spans.ts';

const CHECK_ARGUMENTS = 'panel.health.check.arguments';

/**
 * Returns the entry as text to show and copy, which is not meant to be parsed. Unless revealed, the values of environment and
 * headers are masked, as are possible secrets in the arguments and the address.
 */
export const shownText = (entry: RawEntry, isRevealed: boolean): string =>
  toJsonText(isRevealed ? entry : withMasks(entry), isRevealed)
    .split('\n')
    .map(showHiddenCharacters)
    .join('\n');

/** True if the entry has values to mask. */
export const hasMasked = (entry: RawEntry): boolean => shownText(entry, false) !== shownText(entry, true);

/** Returns the entry with possible secrets in its arguments, address and health check masked, by the same rules as in logs. */
export function withMasks(entry: RawEntry): RawEntry {
  const { command, args, url } = entry;
  const safe = withMaskedCheck(entry);
  const masked = Array.isArray(args) ? withKey(safe, 'args', maskArguments(command, args)) : safe;
  return typeof url === 'string'
    ? withKey(masked, 'url', withPlaceholders(url, urlSecrets(url), MASK))
    : masked;
}

function withMaskedCheck(entry: RawEntry): RawEntry {
  const given = entryValueAt(entry, CHECK_ARGUMENTS);
  if (given === undefined) return entry;
  const mask = (name: string, text: string) => withPlaceholders(text, variableSecrets(name, text), MASK);
  return withValueAt(entry, CHECK_ARGUMENTS, mapNamedTexts(given, mask));
}

/** Masks secrets in arguments. Values other than strings count as empty in the search for secrets and are returned unchanged. */
function maskArguments(command: unknown, args: readonly unknown[]): readonly unknown[] {
  const texts = [command, ...args].map((word) => (typeof word === 'string' ? word : ''));
  const spans = argumentSecrets(texts[0] ?? '', texts.slice(1));
  return args.map((arg, index) =>
    typeof arg === 'string' ? withPlaceholders(arg, spans[index] ?? [], MASK) : arg,
  );
}

/** Returns the top-level keys whose values differ between two versions of an entry, as named in the file: "command", "panel". */
export function changedKeys(before: RawEntry, after: RawEntry): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isSameJson(ownValue(before, key), ownValue(after, key)));
}
