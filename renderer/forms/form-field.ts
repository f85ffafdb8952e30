import type { Schema } from './schema-resolve.ts';

interface FieldBase {
  /** Name of the property that the field fills. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Whether null is sent for an empty required field. */
  readonly isNullable: boolean;
  /** Default value in the schema. */
  readonly initial?: unknown;
  /** Part of the schema against which a value is checked; absent if any value of the kind is valid. */
  readonly rules?: Schema;
}

export interface TextInput extends FieldBase {
  readonly kind: 'text';
}
export interface NumberInput extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly least?: number;
  readonly most?: number;
}
interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}
interface ChoiceInput extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly { readonly label: string; readonly value: unknown }[];
}
export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  readonly fields: readonly FormField[];
}
export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly item: FormField;
}
/** Field whose value has one of several forms. */
export interface VariantsField extends FieldBase {
  readonly kind: 'variants';
  /** Forms to choose from, each with its own label. */
  readonly variants: readonly FormField[];
}
/** Field typed as JSON, because no other kind of field fits. */
interface JsonField extends FieldBase {
  readonly kind: 'json';
}

/** Field of a form, derived from a schema. */
export type FormField =
  TextInput | NumberInput | BooleanField | ChoiceInput | ObjectField | ListField | VariantsField | JsonField;

/**
 * Draft with the same structure as the fields. It contains text for every value that the user types or chooses, and undefined
 * for an object that is left out.
 */
export type Draft = string | readonly Draft[] | DraftFields | undefined;
interface DraftFields {
  readonly [key: string]: Draft;
}

/** Drafts of an object's fields; empty for an object that is left out. */
export const fieldsOf = (draft: Draft): DraftFields =>
  typeof draft === 'object' && !isList(draft) ? draft : {};
/** Index of the chosen variant, as text; empty if none is chosen. */
export const chosenOf = (draft: Draft): string => textOf(fieldsOf(draft)['chosen']);
/** Returns a draft in which the given variant is chosen; input in the others is kept. */
export const withVariant = (draft: Draft, chosen: string, inner: Draft): Draft => ({
  ...fieldsOf(draft),
  chosen,
  [chosen]: inner,
});
export const itemsOf = (draft: Draft): readonly Draft[] => (isList(draft) ? draft : []);
export const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');

const isList = (draft: Draft): draft is readonly Draft[] => Array.isArray(draft);
