import type { Schema } from './schema-resolve.ts';

interface FieldBase {
  /** Property that the field fills. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Whether null is sent where a required field is left empty. */
  readonly isNullable: boolean;
  /** Default of the schema. */
  readonly initial?: unknown;
  /** Part of the schema that a value is checked against; absent where anything of the kind will do. */
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
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}
export interface ChoiceInput extends FieldBase {
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
/** Field that takes one of several forms. */
export interface VariantsField extends FieldBase {
  readonly kind: 'variants';
  /** Forms to choose from; the label of each says which it is. */
  readonly variants: readonly FormField[];
}
/** Field that is typed as JSON because no other can be drawn for it. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
}

/** Field of a form, as a schema asks for it. */
export type FormField =
  TextInput | NumberInput | BooleanField | ChoiceInput | ObjectField | ListField | VariantsField | JsonField;

/**
 * Draft typed so far, shaped like the fields, as text wherever a person types or chooses. Undefined for an
 * object that is left out.
 */
export type Draft = string | readonly Draft[] | DraftFields | undefined;
export interface DraftFields {
  readonly [key: string]: Draft;
}

/** Drafts of an object's fields; none for an object that is left out. */
export const fieldsOf = (draft: Draft): DraftFields =>
  typeof draft === 'object' && !isList(draft) ? draft : {};
/** Position of the chosen variant, as text; empty where none is chosen. */
export const chosenOf = (draft: Draft): string => textOf(fieldsOf(draft)['chosen']);
/** Draft of variants with this one chosen; what was typed into the others stays. */
export const withVariant = (draft: Draft, chosen: string, inner: Draft): Draft => ({
  ...fieldsOf(draft),
  chosen,
  [chosen]: inner,
});
export const itemsOf = (draft: Draft): readonly Draft[] => (isList(draft) ? draft : []);
export const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');

const isList = (draft: Draft): draft is readonly Draft[] => Array.isArray(draft);
