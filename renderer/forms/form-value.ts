import { fieldsOf, itemsOf, textOf, type Draft, type FormField, type NumberField } from './form-field.ts';

/** Problem of a draft, with its path: the keys and positions from the root, joined by dots. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
}

export interface FormValue {
  /** Value to be sent; undefined leaves the property out. */
  readonly value: unknown;
  readonly problems: readonly FormProblem[];
}

/** Value of a draft, and its problems. Empty fields are left out unless required. */
export function readForm(field: FormField, draft: Draft, path = ''): FormValue {
  switch (field.kind) {
    case 'object':
      return readObject(field, draft, path);
    case 'list':
      return readList(field, draft, path);
    case 'text': {
      const text = textOf(draft);
      return text === '' ? emptyValue(field, path) : fine(text);
    }
    case 'choice': {
      const option = textOf(draft) === '' ? undefined : field.options[Number(textOf(draft))];
      return option === undefined ? emptyValue(field, path) : fine(option.value);
    }
    case 'boolean':
      return textOf(draft) === '' ? emptyValue(field, path) : fine(textOf(draft) === 'true');
    case 'number':
      return readNumber(field, textOf(draft).trim(), path);
    case 'json':
      return readJson(field, textOf(draft), path);
  }
}

function readObject(field: FormField & { kind: 'object' }, draft: Draft, path: string): FormValue {
  if (draft === undefined) return emptyValue(field, path);
  const drafts = fieldsOf(draft);
  const parts = field.fields.map((part) => ({
    key: part.key,
    ...readForm(part, drafts[part.key], joinPath(path, part.key)),
  }));
  const entries = parts.filter((part) => part.value !== undefined).map((part) => [part.key, part.value]);
  return {
    value: Object.fromEntries(entries) as unknown,
    problems: parts.flatMap((part) => part.problems),
  };
}

function readList(field: FormField & { kind: 'list' }, draft: Draft, path: string): FormValue {
  const items = itemsOf(draft);
  if (items.length === 0) return field.isRequired ? fine(field.isNullable ? null : []) : fine(undefined);
  const parts = items.map((item, index) => readForm(field.item, item, joinPath(path, String(index))));
  return { value: parts.map((part) => part.value), problems: parts.flatMap((part) => part.problems) };
}

function readNumber(field: NumberField, text: string, path: string): FormValue {
  if (text === '') return emptyValue(field, path);
  const value = Number(text);
  const wrong = (message: string): FormValue => ({ value, problems: [{ path, message }] });
  if (!Number.isFinite(value)) return wrong('must be a number');
  if (field.isInteger && !Number.isInteger(value)) return wrong('must be a whole number');
  if (field.least !== undefined && value < field.least) return wrong(`must be at least ${field.least}`);
  if (field.most !== undefined && value > field.most) return wrong(`must be at most ${field.most}`);
  return fine(value);
}

function readJson(field: FormField, text: string, path: string): FormValue {
  if (text.trim() === '') return emptyValue(field, path);
  const parsed = parseJson(text);
  return 'problem' in parsed
    ? { value: undefined, problems: [{ path, message: parsed.problem }] }
    : fine(parsed.value);
}

/** Value of JSON text, or its problem in words. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Value of an empty text: none, because an empty text that is meant can be sent as JSON. */
function emptyValue(field: FormField, path: string): FormValue {
  if (!field.isRequired) return fine(undefined);
  if (field.isNullable) return fine(null);
  return { value: undefined, problems: [{ path, message: 'is required' }] };
}

const fine = (value: unknown): FormValue => ({ value, problems: [] });

export const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
