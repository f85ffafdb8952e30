import { isJsonObject } from '../../shared/json-object.ts';
import { startDraft, toDraft } from '../forms/form-draft.ts';
import type { Draft, FormField } from '../forms/form-field.ts';
import { parseJson, readForm, type FormProblem, type FormValue } from '../forms/form-value.ts';
import { isSame } from '../forms/same-value.ts';
import { schemaProblems } from '../forms/schema-check.ts';
import type { ItemInput } from '../store/inspector-store.ts';

/** Draft of an input, or the draft with which the form opens. */
export const inputDraftOf = (form: FormField, { draft }: ItemInput): Draft => draft ?? startDraft(form);

/**
 * Value to send, from the form or from JSON that replaces it, and its problems.
 * @param schema schema for typed JSON, if the item has one
 */
export function readInput(form: FormField, input: ItemInput, schema?: unknown): FormValue {
  if (input.json === undefined && form.kind !== 'json') return readForm(form, inputDraftOf(form, input));
  const isEmpty = input.json === undefined || input.json.trim() === '';
  const parsed = isEmpty ? { value: {} } : parseJson(input.json ?? '');
  if ('problem' in parsed) return { value: undefined, problems: [{ path: '', message: parsed.problem }] };
  return { value: parsed.value, problems: problemsOfJson(parsed.value, schema) };
}

const problemsOfJson = (value: unknown, schema: unknown): readonly FormProblem[] =>
  isJsonObject(schema)
    ? schemaProblems(value, schema).map(({ place, words }) => ({
        path: '',
        message: place === '' ? words : `at ${place}: ${words}`,
        isOfSchema: true,
      }))
    : [];

/** Input as JSON instead of the form. */
export const asJson = (value: unknown): ItemInput => ({ json: JSON.stringify(value ?? {}, undefined, 2) });

/** Input in the form; undefined if the form cannot show all of the value. */
export function asForm(form: FormField, value: unknown): ItemInput | undefined {
  const draft = toDraft(form, value);
  if (draft === undefined) return undefined;
  return isSame(readForm(form, draft).value, value) ? { draft } : undefined;
}
