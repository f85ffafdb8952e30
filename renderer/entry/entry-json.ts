import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { isObject, withKey, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Mask that replaces a hidden value in the text. */
export const MASK = '••••••••';
const secretKeys = ['env', 'headers'] as const;

type ParsedJson =
  { readonly ok: true; readonly entry: RawEntry } | { readonly ok: false; readonly problem: string };

/** Returns the entry as JSON text. Values of the environment and of headers are masked unless revealed. */
export function toJsonText(entry: RawEntry, isRevealed: boolean): string {
  return JSON.stringify(
    isRevealed ? entry : mapSecrets(entry, (value) => (value === '' ? value : MASK)),
    null,
    2,
  );
}

/** Parses an entry from text. Each mask is replaced by the value that `base` has at the same path. */
export function parseJsonText(text: string, base: RawEntry): ParsedJson {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const first = errors[0];
  if (first !== undefined) return { ok: false, problem: syntaxWords(first, text) };
  if (!isObject(value)) return { ok: false, problem: 'Expected an object in braces: { "command": … }.' };
  let lost: string | undefined;
  const entry = mapSecrets(value, (inner, key, name) => {
    if (inner !== MASK) return inner;
    const before = base[key];
    const kept = isObject(before) ? ownValue(before, name) : undefined;
    if (kept === undefined) lost = name;
    return kept;
  });
  if (lost === undefined) return { ok: true, entry };
  return {
    ok: false,
    problem: `The value of ${lost} is masked and was not there before. Show the values, then type it.`,
  };
}

/** True if the entry has values that are masked. */
export const hasSecrets = (entry: RawEntry): boolean =>
  secretKeys.some((key) =>
    Object.values(isObject(entry[key]) ? entry[key] : {}).some((value) => value !== ''),
  );

type Change = (value: unknown, key: (typeof secretKeys)[number], name: string) => unknown;

/** Returns the entry with changed values in its environment and headers. */
export function mapSecrets(entry: RawEntry, change: Change): RawEntry {
  return secretKeys.reduce((changed, key) => {
    const values = changed[key];
    if (!isObject(values)) return changed;
    const entries = Object.entries(values).map(([name, value]) => [name, change(value, key, name)] as const);
    return withKey(changed, key, Object.fromEntries(entries));
  }, entry);
}

const syntaxProblems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'A string needs quotes; bare words can only be true, false or null',
  InvalidNumberFormat: 'A number cannot be read',
  PropertyNameExpected: 'Expected a name in quotes',
  ValueExpected: 'Expected a value',
  ColonExpected: 'Expected a colon',
  CommaExpected: 'Expected a comma',
  CloseBraceExpected: 'A brace } is missing',
  CloseBracketExpected: 'A bracket ] is missing',
  EndOfFileExpected: 'There is text after the end',
  InvalidCommentToken: 'Comments are kept in servers.json, and cannot be edited here',
  UnexpectedEndOfString: 'A quote " is missing',
  InvalidEscapeCharacter: 'Invalid escape: after a backslash only " \\ / b f n r t u are allowed',
};

function syntaxWords({ error, offset }: ParseError, text: string): string {
  const words = syntaxProblems[printParseErrorCode(error)] ?? 'Expected JSON';
  const before = text.slice(0, offset).split('\n');
  return `${words} (line ${before.length}, column ${(before.at(-1) ?? '').length + 1}).`;
}
