import {
  chosenOf,
  type Draft,
  fieldsOf,
  type FormField,
  itemsOf,
  type NumberInput,
  textOf,
  type VariantsField,
} from './form-field.ts';
import { ruleProblems } from './schema-check.ts';
import { messageOf } from '../../shared/message-of.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Problem with the input in a form. Its `path` joins property names and list positions from the root of the form with dots. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
  /** True if the value violates only the schema, so that the user may still send it to the server. */
  readonly isOfSchema?: boolean;
}

export interface FormValue {
  /** Value to send; undefined leaves the property out. */
  readonly value: unknown;
  readonly problems: readonly FormProblem[];
}

/** Returns the value of the user's input (the draft), with its problems. Empty fields are left out unless they are required. */
export function readForm(field: FormField, draft: Draft, path = ''): FormValue {
  switch (field.kind) {
    case 'object':
      return readObject(field, draft, path);
    case 'list':
      return readList(field, draft, path);
    case 'text': {
      const text = textOf(draft);
      return text === '' ? emptyValue(field, path) : checked(field, text, path);
    }
    case 'choice': {
      const option = textOf(draft) === '' ? undefined : field.options[Number(textOf(draft))];
      return option === undefined ? emptyValue(field, path) : fine(option.value);
    }
    case 'boolean':
      return textOf(draft) === '' ? emptyValue(field, path) : fine(textOf(draft) === 'true');
    case 'number':
      return readNumber(field, textOf(draft).trim(), path);
    case 'variants':
      return readVariant(field, draft, path);
    case 'json':
      return readJson(field, textOf(draft), path);
  }
}

/** Returns the value with the problems found by the rules of its field. */
function checked(field: FormField, value: unknown, path: string): FormValue {
  const { rules } = field;
  if (rules === undefined) return fine(value);
  const problems = ruleProblems(value, rules).map((message) => ({ path, message, isOfSchema: true }));
  return { value, problems };
}

function readVariant(field: VariantsField, draft: Draft, path: string): FormValue {
  const chosen = chosenOf(draft);
  const variant = chosen === '' ? undefined : field.variants[Number(chosen)];
  if (variant === undefined) return emptyValue(field, path);
  return readForm(variant, ownValue(fieldsOf(draft), chosen), joinPath(path, chosen));
}

function readObject(field: FormField & { kind: 'object' }, draft: Draft, path: string): FormValue {
  if (draft === undefined) return emptyValue(field, path);
  const drafts = fieldsOf(draft);
  const parts = field.fields.map((part) => ({
    key: part.key,
    ...readForm(part, ownValue(drafts, part.key), joinPath(path, part.key)),
  }));
  const entries = parts.filter((part) => part.value !== undefined).map((part) => [part.key, part.value]);
  const whole = checked(field, Object.fromEntries(entries), path);
  return { value: whole.value, problems: [...parts.flatMap((part) => part.problems), ...whole.problems] };
}

function readList(field: FormField & { kind: 'list' }, draft: Draft, path: string): FormValue {
  const items = itemsOf(draft);
  if (items.length === 0 && !(field.isRequired && !field.isNullable))
    return fine(field.isRequired ? null : undefined);
  const parts = items.map((item, index) => readForm(field.item, item, joinPath(path, String(index))));
  const whole = checked(
    field,
    parts.map((part) => part.value ?? null),
    path,
  );
  return {
    value: parts.map((part) => part.value),
    problems: [...parts.flatMap((part) => part.problems), ...whole.problems],
  };
}

function readNumber(field: NumberInput, text: string, path: string): FormValue {
  if (text === '') return emptyValue(field, path);
  const value = Number(text);
  const wrong = (message: string): FormValue => ({ value, problems: [{ path, message, isOfSchema: true }] });
  if (!Number.isFinite(value)) return { value, problems: [{ path, message: 'must be a number' }] };
  if (field.isInteger && !Number.isInteger(value)) return wrong('must be a whole number');
  if (field.least !== undefined && value < field.least) return wrong(`must be at least ${field.least}`);
  if (field.most !== undefined && value > field.most) return wrong(`must be at most ${field.most}`);
  return checked(field, value, path);
}

function readJson(field: FormField, text: string, path: string): FormValue {
  if (text.trim() === '') return emptyValue(field, path);
  const parsed = parseJson(text);
  return 'problem' in parsed
    ? { value: undefined, problems: [{ path, message: parsed.problem }] }
    : checked(field, parsed.value, path);
}

/** Returns the value of a JSON text, or a message if it cannot be parsed. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `is not JSON: ${messageOf(error)}` };
  }
}

/**
 * Returns the value of an empty field: undefined if the field is optional, null if it accepts null, otherwise a problem. To
 * send an empty text, the user must type the arguments as JSON.
 */
function emptyValue(field: FormField, path: string): FormValue {
  if (!field.isRequired) return fine(undefined);
  if (field.isNullable) return fine(null);
  return { value: undefined, problems: [{ path, message: 'is required', isOfSchema: true }] };
}

const fine = (value: unknown): FormValue => ({ value, problems: [] });

export const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Whether two JSON values are equal, regardless of the order of properties. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, ownValue(b, key)))
  );
}
