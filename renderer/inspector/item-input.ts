import { startDraft, toDraft } from '../forms/form-draft.ts';
import type { Draft, FormField } from '../forms/form-field.ts';
import { parseJson, readForm, type FormValue } from '../forms/form-value.ts';
import type { ItemInput } from '../store/inspector-store.ts';

/** Draft of an input, or the one that the form opens with. */
export const draftOf = (form: FormField, { draft }: ItemInput): Draft => draft ?? startDraft(form);

/** Value to be sent, from the form or from the JSON in its place, and its problems. */
export function readInput(form: FormField, input: ItemInput): FormValue {
  if (input.json === undefined && form.kind !== 'json') return readForm(form, draftOf(form, input));
  if (input.json === undefined || input.json.trim() === '') return { value: {}, problems: [] };
  const parsed = parseJson(input.json);
  return 'problem' in parsed
    ? { value: undefined, problems: [{ path: '', message: parsed.problem }] }
    : { value: parsed.value, problems: [] };
}

/** Input with JSON in place of the form. */
export const asJson = (value: unknown): ItemInput => ({ json: JSON.stringify(value ?? {}, undefined, 2) });

/** Input back in the form, or undefined where the form could not show all of it. */
export function asForm(form: FormField, value: unknown): ItemInput | undefined {
  const draft = toDraft(form, value);
  if (draft === undefined) return undefined;
  return isSame(readForm(form, draft).value, value) ? { draft } : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, (b as Record<string, unknown>)[key]))
  );
}
