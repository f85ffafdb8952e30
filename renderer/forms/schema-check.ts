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

/** What is wrong at a place of a value. */
export interface SchemaProblem {
  /** Place by keys and positions, joined by dots; empty for the value itself. */
  readonly place: string;
  readonly words: string;
}

/** Problems told at once, because the first ones explain the rest. */
const MOST_PROBLEMS = 5;
const MOST_WORDS = 300;

/** Keywords that only say that something inside them is wrong, which is told itself. */
const wrappers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'],
  ...['$ref', 'allOf', 'if', 'then', 'else'],
]);
/** Branches of a choice: what is wrong with one of them is not wrong with the value. */
const branches = /\/(?:anyOf|oneOf|not|if|contains)\//;

/**
 * What a schema finds wrong with a value. A schema that cannot be checked here (an outside reference, a pattern
 * that could run for minutes, a loop) finds nothing: the server has the last word.
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

/** What is wrong with the value of a field, in words that follow its label. */
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
