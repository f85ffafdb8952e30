import {
  validate,
  type OutputUnit,
  type Schema as ValidatorSchema,
  type SchemaDraft,
} from '@cfworker/json-schema';
import { showDirectionControls } from '../format/text-direction.ts';
import { brokenRuleWords } from './field-rules.ts';
import { decodeStep, isObject, type Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';
import { isQuickPattern } from './pattern-guard.ts';

/** Problem at one position within a value. */
interface SchemaProblem {
  /** Keys and indexes that lead to the position, joined by dots; empty for the value itself. */
  readonly place: string;
  readonly words: string;
}

/** Maximum number of problems shown at once, because later ones usually follow from the first; and maximum characters of each. */
const MOST_PROBLEMS = 5;
const MOST_WORDS = 300;

/** Schema keywords whose errors are ignored: they only say that something inside is invalid, which is reported separately. */
const wrappers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'],
  ...['$ref', 'allOf', 'if', 'then', 'else'],
]);
/** Matches locations within one branch of a choice. Errors there are ignored, because the whole value may still be valid. */
const branches = /\/(?:anyOf|oneOf|not|if|contains)\//;

/**
 * Returns the problems that a schema finds in a value. Returns none for a schema that cannot be checked here (an external
 * reference, a pattern that could run for minutes, a loop), because the server checks again.
 */
export function schemaProblems(value: unknown, schema: Schema): readonly SchemaProblem[] {
  return toProblems(errorsOf(value, schema));
}

function toProblems(errors: readonly OutputUnit[]): readonly SchemaProblem[] {
  const told = errors.filter(
    ({ keyword, keywordLocation }) => !wrappers.has(keyword) && !branches.test(keywordLocation),
  );
  return told.slice(0, MOST_PROBLEMS).map(({ instanceLocation, keyword, error }) => ({
    place: instanceLocation.split('/').slice(1).map(decodeStep).map(showDirectionControls).join('.'),
    words: showDirectionControls(ownValue(sentences, keyword) ?? error).slice(0, MOST_WORDS),
  }));
}

/** Problems of a field's value, worded to follow the label of the field. */
export function ruleProblems(value: unknown, rules: Schema): readonly string[] {
  const errors = errorsOf(value, rules);
  const own = errors.flatMap(({ instanceLocation, keyword }) =>
    instanceLocation === '#' ? (brokenRuleWords(keyword, rules) ?? []) : [],
  );
  if (own.length > 0) return [...new Set(own)].map(showDirectionControls);
  return toProblems(errors).map(({ place, words }) => (place === '' ? words : `at ${place}: ${words}`));
}

const sentences: Readonly<Record<string, string>> = {
  anyOf: 'matches none of its variants',
  oneOf: 'does not match exactly one of its variants',
  not: 'is not an allowed value',
  false: 'is not known here',
};

function errorsOf(value: unknown, schema: Schema): readonly OutputUnit[] {
  try {
    const guarded = guardedSchema(schema, value) as ValidatorSchema;
    return validate(value, guarded, draftOf(schema), undefined, false).errors;
  } catch {
    return [];
  }
}

function draftOf({ $schema }: Schema): SchemaDraft {
  const uri = typeof $schema === 'string' ? $schema : '';
  if (uri.includes('draft-07') || uri.includes('draft-06')) return '7';
  if (uri.includes('draft-04')) return '4';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Maximum schemas that one check may visit, because a few schemas that refer to each other can produce millions of visits. */
const MOST_STEPS = 50_000;
const MOST_DEPTH = 100;

/** Keywords whose content is a value, not a schema. */
const values = new Set(['const', 'enum', 'default', 'examples']);

/**
 * Returns a copy of a server's schema that cannot block the app window. The copy throws after `MOST_STEPS` visits, and omits
 * patterns that might be slow on the texts of `value`.
 */
function guardedSchema(schema: Schema, value: unknown): Schema {
  const longest = longestText(value, 0);
  let stepsLeft = MOST_STEPS;
  const step = (kept: unknown) => () => {
    stepsLeft -= 1;
    if (stepsLeft < 0) throw new Error('The schema is too large to check.');
    return kept;
  };

  function copy(part: unknown, depth: number): unknown {
    if (depth > MOST_DEPTH) throw new Error('The schema is too deep to check.');
    if (Array.isArray(part)) return part.map((item) => copy(item, depth + 1));
    if (!isObject(part)) return part;
    const entries = Object.entries(withoutSlowPatterns(part, longest));
    const copied = Object.fromEntries(
      entries
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [key, values.has(key) ? inner : copy(inner, depth + 1)]),
    );
    // The validator reads this keyword once in each schema that it visits, so a getter can count the visits. The validator
    // itself has no limit.
    const word = '$recursiveAnchor';
    return Object.defineProperty(copied, word, { get: step(part[word]), enumerable: false });
  }
  return copy(schema, 0) as Schema;
}

function withoutSlowPatterns(part: Schema, longest: number): Schema {
  const { pattern, patternProperties, additionalProperties, unevaluatedProperties, ...rest } = part;
  const isQuick = typeof pattern !== 'string' || isQuickPattern(pattern, longest);
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  // If a slow pattern is removed from `patternProperties`, the keywords for the remaining properties must be removed too,
  // because it is then unknown which properties they apply to.
  const areQuick = names.every((name) => isQuickPattern(name, longest));
  return {
    ...rest,
    ...(isQuick && { pattern }),
    ...(areQuick && { patternProperties, additionalProperties, unevaluatedProperties }),
  };
}

/** Length of the longest text or property name in a value. */
function longestText(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return 0;
  return Object.entries(value).reduce(
    (longest, [key, inner]) => Math.max(longest, key.length, longestText(inner, depth + 1)),
    0,
  );
}
