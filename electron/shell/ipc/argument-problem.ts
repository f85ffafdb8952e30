import type { z } from 'zod';
import { ownValue } from '../../../shared/own-value.ts';

const LONGEST_SHOWN_TEXT = 60;

/** Describes invalid arguments of a call: where, what was expected, what was found. */
export function describeArgumentProblem(call: string, error: z.ZodError, args: readonly unknown[]): string {
  const issue = error.issues[0];
  if (issue === undefined) return `${call}: the arguments are refused`;
  return `${call}: ${placeOf(issue.path)}: ${expectation(issue)}, found ${describeValue(valueAt(args, issue.path))}`;
}

/** For example `argument 1`, or `argument 1, name`. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'arguments';
  const argument = `argument ${Number(first) + 1}`;
  return rest.length === 0 ? argument : `${argument}, ${rest.map(String).join('.')}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_big':
      return `expected at most ${String(issue.maximum)}`;
    case 'too_small':
      return `expected at least ${String(issue.minimum)}`;
    default:
      return issue.message;
  }
}

/** Reads only own fields of a value, so that no getter of a prototype runs. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownValue(value, String(key));
  }
  return value;
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    return JSON.stringify(
      value.length > LONGEST_SHOWN_TEXT ? `${value.slice(0, LONGEST_SHOWN_TEXT)}…` : value,
    );
  }
  if (Array.isArray(value)) return `${value.length} values`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
