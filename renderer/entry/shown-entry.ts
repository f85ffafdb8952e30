import { showHiddenCharacters } from '../format/text-direction.ts';
import { MASK, toJsonText } from './entry-json.ts';
import { isSameJson, withKey, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';
import { argumentSecrets, urlSecrets, withPlaceholders } from '../../shared/secrets/secret-spans.ts';

/**
 * Entry as text to be shown and copied, not to be read back. Besides environment and headers, possible
 * secrets among the arguments and in the address are masked as well, unless revealed.
 */
export const shownText = (entry: RawEntry, isRevealed: boolean): string =>
  toJsonText(isRevealed ? entry : withMasks(entry), isRevealed)
    .split('\n')
    .map(showHiddenCharacters)
    .join('\n');

/** Whether there is anything to mask. */
export const hasMasked = (entry: RawEntry): boolean => shownText(entry, false) !== shownText(entry, true);

/**
 * The entry with masks for what may be secret among its arguments and in its address, by the rules that hold for logs, too.
 */
export function withMasks(entry: RawEntry): RawEntry {
  const { command, args, url } = entry;
  const masked = Array.isArray(args) ? withKey(entry, 'args', maskArguments(command, args)) : entry;
  return typeof url === 'string'
    ? withKey(masked, 'url', withPlaceholders(url, urlSecrets(url), MASK))
    : masked;
}

/** What is no text is judged as an empty one, and stays as it is. */
function maskArguments(command: unknown, args: readonly unknown[]): readonly unknown[] {
  const texts = [command, ...args].map((word) => (typeof word === 'string' ? word : ''));
  const spans = argumentSecrets(texts[0] ?? '', texts.slice(1));
  return args.map((arg, index) =>
    typeof arg === 'string' ? withPlaceholders(arg, spans[index] ?? [], MASK) : arg,
  );
}

/** Keys of the entry that differ, in the terms of the file: "command", "panel". */
export function changedKeys(before: RawEntry, after: RawEntry): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isSameJson(ownValue(before, key), ownValue(after, key)));
}
