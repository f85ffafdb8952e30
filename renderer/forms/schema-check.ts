import {
  validate,
  type OutputUnit,
  type Schema as ValidatorSchema,
  type SchemaDraft,
} from '@cfworker/json-schema';
import { showDirectionControls } from '../format/text-direction.ts';
import { brokenRuleWords } from './field-rules.ts';
import { guardedSchema } from './guarded-schema.ts';
import type { Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Problem of a value at one place. */
export interface SchemaProblem {
  /** Keys and positions of the place, joined by dots; empty for the value itself. */
  readonly place: string;
  readonly words: string;
}

/** Limit for the problems shown at once, because the first ones explain the rest. */
const MOST_PROBLEMS = 5;
const MOST_WORDS = 300;

/** Keywords that only report that something inside them is invalid, which is reported itself. */
const wrappers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'],
  ...['$ref', 'allOf', 'if', 'then', 'else'],
]);
/** Branches of a choice; an error within one of them is not an error of the value. */
const branches = /\/(?:anyOf|oneOf|not|if|contains)\//;

/**
 * Problems that a schema finds in a value. A schema that cannot be checked here (an external reference, a pattern
 * that could run for minutes, a loop) finds none, because the server checks again.
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
  anyOf: 'fits none of its variants',
  oneOf: 'does not fit exactly one of its variants',
  not: 'is a value that is not allowed',
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

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
