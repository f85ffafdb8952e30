import { formatCount } from '../format/figures.ts';
import type { Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Schema keywords, by kind of field, against which a value is checked. Types and ranges are checked by the field itself. */
const keywords = {
  text: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  list: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  object: ['minProperties', 'maxProperties', 'dependentRequired'],
} as const;

/** Rules of a field; empty if its schema has none. */
export function rulesOf(kind: keyof typeof keywords, schema: Schema): { readonly rules?: Schema } {
  const entries = keywords[kind]
    .filter((word) => word in schema)
    .map((word) => [word, schema[word]] as const);
  return entries.length === 0 ? {} : { rules: Object.fromEntries(entries) };
}

const formatWords: Readonly<Record<string, { readonly kind: string; readonly example: string }>> = {
  date: { kind: 'date', example: '2026-11-22' },
  time: { kind: 'time', example: '18:30:00Z' },
  'date-time': { kind: 'date and time', example: '2026-11-22T18:30:00Z' },
  email: { kind: 'e-mail address', example: 'name@example.com' },
  uri: { kind: 'address', example: 'https://example.com/page' },
  uuid: { kind: 'UUID', example: '123e4567-e89b-42d3-a456-426614174000' },
};

const formatOf = (rules: Schema | undefined) =>
  typeof rules?.['format'] === 'string' ? ownValue(formatWords, rules['format']) : undefined;

/** Returns the kind of text that the rules require, such as "date" or "e-mail address". */
export const textKind = (rules: Schema | undefined): string => formatOf(rules)?.kind ?? 'text';

/** Returns an example of the format that the rules require; undefined if they require none. */
export const exampleOf = (rules: Schema | undefined): string | undefined => formatOf(rules)?.example;

/** Limits as text, for the mark beside a label: "3 to 20 characters". */
export function boundWords(rules: Schema | undefined): readonly string[] {
  if (rules === undefined) return [];
  const { exclusiveMinimum, exclusiveMaximum, multipleOf, uniqueItems } = rules;
  return [
    span(rules['minLength'], rules['maxLength'], 'character'),
    typeof exclusiveMinimum === 'number' ? `above ${exclusiveMinimum}` : '',
    typeof exclusiveMaximum === 'number' ? `below ${exclusiveMaximum}` : '',
    typeof multipleOf === 'number' ? `in steps of ${multipleOf}` : '',
    span(rules['minItems'], rules['maxItems'], 'item'),
    uniqueItems === true ? 'no duplicates' : '',
  ].filter((words) => words !== '');
}

function span(least: unknown, most: unknown, unit: string): string {
  const hasLeast = typeof least === 'number' && least > 0;
  const hasMost = typeof most === 'number';
  const units = (count: number) => (count === 1 ? unit : `${unit}s`);
  if (hasLeast && hasMost && least === most) return `${formatCount(most)} ${units(most)}`;
  if (hasLeast && hasMost) return `${formatCount(least)} to ${formatCount(most)} ${units(most)}`;
  if (hasLeast) return `at least ${formatCount(least)} ${units(least)}`;
  return hasMost ? `at most ${formatCount(most)} ${units(most)}` : '';
}

/** Message for a value that breaks a rule, worded to follow the label of its field. */
export function brokenRuleWords(keyword: string, rules: Schema): string | undefined {
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return `must have ${span(rules['minLength'], rules['maxLength'], 'character')}`;
    case 'minItems':
    case 'maxItems':
      return `must have ${span(rules['minItems'], rules['maxItems'], 'item')}`;
    case 'uniqueItems':
      return 'must not have duplicate items';
    case 'exclusiveMinimum':
      return `must be above ${String(rules[keyword])}`;
    case 'exclusiveMaximum':
      return `must be below ${String(rules[keyword])}`;
    case 'multipleOf':
      return `must be a multiple of ${String(rules[keyword])}`;
    case 'pattern':
      return `must match ${String(rules[keyword])}`;
    case 'format': {
      const known = formatOf(rules);
      return known === undefined
        ? `must have the format ${String(rules[keyword])}`
        : `must be ${/^[ae]/.test(known.kind) ? 'an' : 'a'} ${known.kind}, such as ${known.example}`;
    }
    default:
      return undefined;
  }
}
