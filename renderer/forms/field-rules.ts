import { formatCount } from '../format/figures.ts';
import type { Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** JSON Schema keywords that a validator checks, by kind of field. Types and ranges are missing: the field itself checks them. */
const keywords = {
  text: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  list: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  object: ['minProperties', 'maxProperties', 'dependentRequired'],
} as const;

/** Returns the keywords of a schema against which the values of a field are checked; empty if the schema has none. */
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

/** Returns the kind of text that the schema's format requires, such as "date" or "e-mail address"; otherwise "text". */
export const textKind = (rules: Schema | undefined): string => formatOf(rules)?.kind ?? 'text';

/** Returns an example of the format that the schema requires; undefined if there is no such format, or no example for it. */
export const exampleOf = (rules: Schema | undefined): string | undefined => formatOf(rules)?.example;

/** Returns the limits of a value as texts that are shown beside the field's label, such as "3 to 20 characters". */
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

/** Returns the message for a value that breaks a rule, worded to follow the field's label: "must have at least 3 characters". */
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
