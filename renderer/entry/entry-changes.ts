import { MASK } from './entry-json.ts';
import { isObject, isSameJson, type RawEntry } from './raw-entry.ts';
import { withMasks } from './shown-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/** One field whose value differs between two entries. */
export interface EntryChange {
  /** Readable field name: "arguments", "variable GITHUB_TOKEN". */
  readonly field: string;
  /** Each value as one line of text; undefined if the entry lacks the field. Secrets are masked unless revealed. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const fieldNames: Readonly<Record<string, string>> = {
  args: 'arguments',
  cwd: 'working folder',
  url: 'address',
};
const pairNames: Readonly<Record<string, string>> = { env: 'variable', headers: 'header' };

/** Returns the fields that differ between two entries, in the order of the second. Fields that the second lacks come last. */
export function changesBetween(
  before: RawEntry,
  after: RawEntry,
  isRevealed: boolean,
): readonly EntryChange[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  const [shownBefore, shownAfter] = isRevealed ? [before, after] : [withMasks(before), withMasks(after)];
  return [...keys]
    .filter((key) => !isSameJson(ownValue(before, key), ownValue(after, key)))
    .flatMap((key): readonly EntryChange[] => {
      const noun = ownValue(pairNames, key);
      return noun === undefined
        ? [
            {
              field: ownValue(fieldNames, key) ?? key,
              before: lineOf(ownValue(shownBefore, key)),
              after: lineOf(ownValue(shownAfter, key)),
            },
          ]
        : pairChanges(noun, ownValue(before, key), ownValue(after, key), isRevealed);
    });
}

/** True if a change has a value that is masked. */
export const hasMaskedChange = (before: RawEntry, after: RawEntry): boolean =>
  !isSameJson(changesBetween(before, after, false), changesBetween(before, after, true));

function pairChanges(noun: string, before: unknown, after: unknown, isRevealed: boolean): EntryChange[] {
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const shown = (value: unknown) => (value === undefined ? undefined : isRevealed ? lineOf(value) : MASK);
  return [...new Set([...Object.keys(fresh), ...Object.keys(old)])]
    .filter((name) => !isSameJson(ownValue(old, name), ownValue(fresh, name)))
    .map((name) => ({
      field: `${noun} ${name}`,
      before: shown(ownValue(old, name)),
      after: shown(ownValue(fresh, name)),
    }));
}

function lineOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  const isLine = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isLine
    ? value.map((word) => (/[\s"]/.test(word) ? JSON.stringify(word) : word)).join(' ')
    : JSON.stringify(value);
}
