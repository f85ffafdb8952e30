import { isJsonObject } from '../../shared/json-object.ts';
import { ownValue } from '../../shared/own-value.ts';

export type Schema = Readonly<Record<string, unknown>>;

interface Resolved {
  /** Schema in which references, unions with null, and combinations of a single member are resolved. */
  readonly schema: Schema;
  readonly isNullable: boolean;
  /** True if the schema is a combination that no single field can represent. */
  readonly isOdd: boolean;
  /** Alternative schemas, one of which a value must match; absent if the schema has no such alternatives. */
  readonly variants?: readonly Schema[];
}

/** Maximum number of references followed, because a schema that refers to itself would otherwise never end. */
const MAX_STEPS = 12;

/** Follows references and resolves simple unions until a plain schema is left. */
export function resolve(schema: Schema, root: Schema, steps = 0): Resolved {
  if (steps > MAX_STEPS) return { schema: {}, isNullable: false, isOdd: true };
  const again = (next: Schema) => resolve(next, root, steps + 1);
  const { $ref, ...beside } = schema;
  if (typeof $ref === 'string') {
    const target = follow($ref, root);
    return target === undefined ? odd(schema) : again({ ...target, ...beside });
  }
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...others } = schema;
    return again(mergeAll([...toSchemas(allOf).map((part) => again(part).schema), others]));
  }
  for (const word of ['anyOf', 'oneOf'] as const) {
    if (Array.isArray(schema[word])) return resolveUnion(schema, word, again);
  }
  return resolveType(schema);
}

function resolveUnion(schema: Schema, word: 'anyOf' | 'oneOf', again: (next: Schema) => Resolved): Resolved {
  const { [word]: union, ...beside } = schema;
  const members = toSchemas(union);
  const kept = members.filter((member) => member['type'] !== 'null' && member['const'] !== null);
  const isNullable = kept.length < members.length;
  const [only] = kept;
  if (kept.length === 1 && only !== undefined) {
    const inner = again({ ...only, ...beside });
    return { ...inner, isNullable: isNullable || inner.isNullable };
  }
  if (kept.length > 1 && kept.every((member) => 'const' in member)) {
    const names = kept.map((member) => member['title']);
    return {
      schema: { ...beside, enum: kept.map((member) => member['const']), enumNames: names },
      isNullable,
      isOdd: false,
    };
  }
  const variants = kept.map((member) => mergeAll([withoutWords(beside), member]));
  return { ...odd(schema), isNullable, ...(kept.length > 1 && { variants }) };
}

/** Returns the schema without its title, description and default, which describe the field as a whole and not one variant. */
function withoutWords({
  title: _title,
  description: _description,
  default: _default,
  ...rest
}: Schema): Schema {
  return rest;
}

/** Resolves `type`, which may be a list of types. The field is nullable if null is in that list or among the `enum` values. */
function resolveType(schema: Schema): Resolved {
  const { type } = schema;
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  const kept = types.filter((name) => name !== 'null');
  const values = schema['enum'];
  const hasNullValue = Array.isArray(values) && values.includes(null);
  const isNullable = kept.length < types.length || hasNullValue;
  const isOdd = kept.length > 1 && !Array.isArray(values);
  return {
    schema: {
      ...schema,
      ...(kept.length === 1 && { type: kept[0] }),
      ...(hasNullValue && { enum: values.filter((value) => value !== null) }),
    },
    isNullable,
    isOdd,
    ...(isOdd && { variants: kept.map((name) => ({ ...withoutWords(schema), type: name })) }),
  };
}

/** Returns the schema at a reference such as `#/$defs/name`; undefined if outside the root schema, because nothing is fetched. */
function follow(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference
    .slice(1)
    .split('/')
    .filter((step) => step !== '');
  let place: unknown = root;
  for (const step of steps) place = isJsonObject(place) ? ownValue(place, decodeStep(step)) : undefined;
  return isJsonObject(place) ? place : undefined;
}

function mergeAll(parts: readonly Schema[]): Schema {
  return parts.reduce<Schema>((merged, part) => {
    const properties = { ...toObject(merged['properties']), ...toObject(part['properties']) };
    const required = [...toList(merged['required']), ...toList(part['required'])];
    return {
      ...merged,
      ...part,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }, {});
}

/** Decodes one step of a JSON pointer: the property name or list position. */
export function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

const odd = (schema: Schema): Resolved => ({ schema, isNullable: false, isOdd: true });
const toSchemas = (value: unknown): readonly Schema[] => toList(value).filter(isJsonObject);
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const toObject = (value: unknown): Schema => (isJsonObject(value) ? value : {});

export { isJsonObject as isObject };
