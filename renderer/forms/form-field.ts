import type { Schema } from './schema-resolve.ts';

interface FieldBase {
  /** Name of the property that the field fills. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Whether the field accepts null. If so, null is sent when the field is required but empty. */
  readonly isNullable: boolean;
  /** Default value in the schema. */
  readonly initial?: unknown;
  /** Keywords of the schema against which a value is checked; absent if any value of the right kind is valid. */
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
/** Field whose value may have one of several structures (`anyOf` or `oneOf` in the schema). */
export interface VariantsField extends FieldBase {
  readonly kind: 'variants';
  /** Structures to choose from, each with its own label. */
  readonly variants: readonly FormField[];
}
/** Field typed as JSON, because no other kind of field fits. */
interface JsonField extends FieldBase {
  readonly kind: 'json';
}

/** Field of a form. Forms are generated from a JSON Schema, for example for the arguments of a tool. */
export type FormField =
  TextInput | NumberInput | BooleanField | ChoiceInput | ObjectField | ListField | VariantsField | JsonField;

/**
 * Input of the user in a form, with the same structure as its fields. Every value that the user types or chooses is text; an
 * object that is left out is undefined.
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
/** Returns a draft in which the given variant is chosen and has `inner` as its input; input in the other variants is kept. */
export const withVariant = (draft: Draft, chosen: string, inner: Draft): Draft => ({
  ...fieldsOf(draft),
  chosen,
  [chosen]: inner,
});
export const itemsOf = (draft: Draft): readonly Draft[] => (isList(draft) ? draft : []);
export const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');

const isList = (draft: Draft): draft is readonly Draft[] => Array.isArray(draft);
