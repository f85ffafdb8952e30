import { showDirectionControls } from '../format/text-direction.ts';
import { isObject, type Schema } from './schema-resolve.ts';
import { ownValue } from '../../shared/own-value.ts';

const typeWords: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  array: 'List',
  object: 'Object',
};

/** Label of a variant: its title, its distinguishing constant, its required properties, or its type. */
export function variantLabel(schema: Schema, index: number): string {
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

/** First property that allows only one value: `kind: { const: 'file' }`. */
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
