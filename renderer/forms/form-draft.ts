import { withVariant, type Draft, type FormField, type VariantsField } from './form-field.ts';
import { isSame, readForm } from './form-value.ts';
import { isObject } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Returns the initial draft (the input) of a form: default values from the schema, and all required fields. */
export function startDraft(field: FormField): Draft {
  if (field.initial !== undefined && field.initial !== null) {
    const draft = toDraft(field, field.initial);
    if (draft !== undefined) return draft;
  }
  switch (field.kind) {
    case 'object':
      return field.isRequired && !field.isNullable ? draftOfFields(field, {}) : undefined;
    case 'list':
      return [];
    case 'boolean':
      return field.isRequired && !field.isNullable ? 'false' : '';
    case 'choice':
      // A required field with a single option is preselected, because there is nothing to choose.
      return field.isRequired && field.options.length === 1 ? '0' : '';
    case 'variants':
      return field.isRequired && !field.isNullable ? variantDraft(field, '0') : undefined;
    case 'text':
    case 'number':
    case 'json':
      return '';
  }
}

/** Returns a draft in which the given variant is chosen, with that variant's initial values. */
export function variantDraft({ variants }: VariantsField, chosen: string): Draft {
  const variant = variants[Number(chosen)];
  return variant === undefined ? undefined : withVariant(undefined, chosen, startDraft(variant));
}

/** Returns the draft of an optional object when the user adds it. */
export const includedDraft = (field: FormField): Draft =>
  startDraft({ ...field, isRequired: true, isNullable: false });

/** Returns the draft for a value; undefined if the field cannot contain this value. */
export function toDraft(field: FormField, value: unknown): Draft {
  switch (field.kind) {
    case 'object':
      return isObject(value) ? draftOfFields(field, value) : undefined;
    case 'list':
      return Array.isArray(value) ? value.map((item) => toDraft(field.item, item)) : undefined;
    case 'choice': {
      const text = JSON.stringify(value);
      const index = field.options.findIndex((option) => JSON.stringify(option.value) === text);
      return index < 0 ? undefined : String(index);
    }
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'variants':
      return fittingVariant(field, value);
    case 'json':
      return JSON.stringify(value, undefined, 2);
  }
}

/** Returns the draft in the first variant that can show the whole value, preferring one whose rules also accept the value. */
function fittingVariant({ variants }: VariantsField, value: unknown): Draft {
  const fitting = variants.flatMap((variant, index) => {
    const inner = toDraft(variant, value);
    if (inner === undefined) return [];
    const read = readForm(variant, inner);
    const draft = withVariant(undefined, String(index), inner);
    return isSame(read.value, value) ? [{ draft, isFine: read.problems.length === 0 }] : [];
  });
  return (fitting.find(({ isFine }) => isFine) ?? fitting[0])?.draft;
}

function draftOfFields(
  field: FormField & { kind: 'object' },
  value: Readonly<Record<string, unknown>>,
): Draft {
  const entries = field.fields.map((part) => {
    const given = ownValue(value, part.key);
    return [part.key, given === undefined ? startDraft(part) : toDraft(part, given)] as const;
  });
  return Object.fromEntries(entries);
}
