import { showDirectionControls } from '../format/text-direction.ts';
import type { FormField } from './form-field.ts';
import { rulesOf } from './field-rules.ts';
import { isObject, resolve, type Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Maximum nesting of a form, because a schema that refers to itself would otherwise produce an endless form. */
const MAX_DEPTH = 5;

/** Maximum number of fields, because a few references of a schema to itself can produce millions. */
const MAX_FIELDS = 500;
const MAX_OPTIONS = 1000;
const MAX_VARIANTS = 20;

/** Root schema, to which references point, and the number of fields that may still be created. */
interface FormContext {
  readonly root: Schema;
  fieldsLeft: number;
}

type Base = Pick<FormField, 'key' | 'label' | 'isRequired' | 'isNullable'> &
  Partial<Pick<FormField, 'description' | 'initial' | 'rules'>>;

/**
 * Returns the form for a JSON Schema. Values that no other field can represent are typed as JSON, so that any value can be
 * sent. If the form would have more than 500 fields, the whole value is typed as JSON.
 */
export function toForm(schema: unknown): FormField {
  const root = isObject(schema) ? schema : {};
  const context: FormContext = { root, fieldsLeft: MAX_FIELDS };
  const form = toField('', root, true, context, 0);
  if (context.fieldsLeft >= 0) return form;
  return { kind: 'json', key: '', label: '', isRequired: true, isNullable: false };
}

function toField(
  key: string,
  raw: Schema,
  isRequired: boolean,
  context: FormContext,
  depth: number,
): FormField {
  context.fieldsLeft -= 1;
  const { schema, isNullable, isOdd, variants } = resolve(raw, context.root);
  const base: Base = {
    key,
    label: showDirectionControls(readText(schema['title']) ?? key),
    isRequired,
    isNullable,
    ...(readText(schema['description']) !== undefined && {
      description: readText(schema['description']) ?? '',
    }),
    ...('default' in schema && { initial: schema['default'] }),
  };
  if (variants !== undefined) return toVariants(base, schema, variants, context, depth);
  if (isOdd) return toJson(base, schema, context);
  const options = readOptions(schema);
  if (options !== undefined) return { ...base, kind: 'choice', options };
  switch (schema['type'] ?? impliedType(schema)) {
    case 'string':
      return { ...base, kind: 'text', ...rulesOf('text', schema) };
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        ...readRange(schema),
        ...rulesOf('number', schema),
      };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array':
      return toList(base, schema, context, depth);
    case 'object':
      return toObject(base, schema, context, depth);
    default:
      return toJson(base, schema, context);
  }
}

/**
 * Returns a field for JSON input that is checked against the complete schema. The definitions of the root schema are added,
 * because references in the schema may point to them.
 */
function toJson(base: Base, schema: Schema, { root }: FormContext): FormField {
  const { $defs, definitions } = root;
  const rules = Object.entries(schema).filter(
    ([word, value]) => value !== undefined && !['title', 'description', 'default'].includes(word),
  );
  if (rules.length === 0) return { ...base, kind: 'json' };
  return { ...base, kind: 'json', rules: { $defs, definitions, ...Object.fromEntries(rules) } };
}

function toVariants(
  base: Base,
  schema: Schema,
  variants: readonly Schema[],
  context: FormContext,
  depth: number,
): FormField {
  const isTooMuch = variants.length > MAX_VARIANTS || variants.length > context.fieldsLeft;
  if (isTooMuch || depth >= MAX_DEPTH) return toJson(base, schema, context);
  const fields = variants.map((variant, index) => ({
    ...toField('', variant, true, context, depth + 1),
    label: variantLabel(resolve(variant, context.root).schema, index),
  }));
  if (fields.every(({ kind }) => kind === 'json')) return toJson(base, schema, context);
  return { ...base, kind: 'variants', variants: fields };
}

function toObject(base: Base, schema: Schema, context: FormContext, depth: number): FormField {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const isFree = properties.length === 0 && depth > 0;
  if (isFree || depth >= MAX_DEPTH) return toJson(base, schema, context);
  if (properties.length > context.fieldsLeft) {
    context.fieldsLeft = -1;
    return { ...base, kind: 'json' };
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = properties.map(([key, property]) =>
    toField(key, isObject(property) ? property : {}, required.includes(key), context, depth + 1),
  );
  // Required fields come first; otherwise the order of the schema is kept.
  const inOrder = [
    ...fields.filter((field) => field.isRequired),
    ...fields.filter((field) => !field.isRequired),
  ];
  return { ...base, kind: 'object', fields: inOrder, ...rulesOf('object', schema) };
}

function toList(base: Base, schema: Schema, context: FormContext, depth: number): FormField {
  const { items } = schema;
  if (!isObject(items) || 'prefixItems' in schema || depth >= MAX_DEPTH) return toJson(base, schema, context);
  return {
    ...base,
    kind: 'list',
    item: toField('', items, true, context, depth + 1),
    ...rulesOf('list', schema),
  };
}

/** Type implied by other keywords, because some schemas omit `type` beside them. */
function impliedType(schema: Schema): string | undefined {
  if (isObject(schema['properties'])) return 'object';
  return isObject(schema['items']) ? 'array' : undefined;
}

function readOptions(schema: Schema): readonly { label: string; value: unknown }[] | undefined {
  if ('const' in schema) return [toOption(schema['const'])];
  const values = schema['enum'];
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_OPTIONS) return undefined;
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : [];
  return values.map((value: unknown, index) => toOption(value, readText(names[index])));
}

const toOption = (value: unknown, label?: string) => ({
  label: showDirectionControls(label ?? (typeof value === 'string' ? value : JSON.stringify(value))),
  value,
});

function readRange(schema: Schema): { least?: number; most?: number } {
  const { minimum, maximum } = schema;
  return {
    ...(typeof minimum === 'number' && { least: minimum }),
    ...(typeof maximum === 'number' && { most: maximum }),
  };
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const typeWords: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  array: 'List',
  object: 'Object',
};

/**
 * Returns the label of a variant: its title; otherwise a property with a constant value, the type, or the required properties.
 */
function variantLabel(schema: Schema, index: number): string {
  const { title, type, required } = schema;
  if (typeof title === 'string' && title.trim() !== '') return showDirectionControls(title);
  const constant = tellingConstant(schema);
  if (constant !== undefined) return showDirectionControls(constant);
  const words = typeof type === 'string' ? ownValue(typeWords, type) : undefined;
  if (words !== undefined && type !== 'object') return words;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  if (names.length > 0) return showDirectionControls(`With ${names.slice(0, 3).join(', ')}`);
  return words ?? `Variant ${index + 1}`;
}

/** Returns as text a variant's constant, or its first property that allows only one value, such as `kind: { const: 'file' }`. */
function tellingConstant({ properties, const: own }: Schema): string | undefined {
  if (own !== undefined) return JSON.stringify(own);
  if (!isObject(properties)) return undefined;
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const values = 'const' in property ? [property['const']] : property['enum'];
    if (Array.isArray(values) && values.length === 1) return `${key}: ${String(values[0])}`;
  }
  return undefined;
}
