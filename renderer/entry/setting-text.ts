import { isJsonObject, type JsonObject } from '../../shared/json-object.ts';
import { parsedJson } from '../../shared/parsed.ts';

/** Text in which a value from the file is edited; empty if the value is not set. */
export function settingToText(field: SettingField, value: unknown): string {
  if (value === undefined) return '';
  if (field.kind === 'number' && typeof value === 'number') return String(value / field.factor);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the value to write to the file: undefined for an empty text, or the text itself if it is not valid for the field. */
export function textToSetting(field: SettingField, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (field.kind === 'choice')
    return field.choices.find(({ value }) => String(value) === trimmed)?.value ?? trimmed;
  if (field.kind === 'text') return field.isJson ? (jsonObjectIn(trimmed) ?? trimmed) : trimmed;
  const number = toNumber(trimmed);
  // Rounding removes the inexact binary fractions, so that thousandths of a second become whole milliseconds.
  return Number.isNaN(number) ? trimmed : Math.round(number * field.factor * 1e6) / 1e6;
}

/** Describes what is wrong with a typed value, in the unit of the field; undefined if it is valid. */
export function settingProblem(field: SettingField, text: string): string | undefined {
  const value = textToSetting(field, text);
  if (value === undefined || field.kind === 'choice') return undefined;
  if (field.kind === 'text')
    return field.isJson && typeof value === 'string'
      ? 'Expected JSON in braces: { "name": "value" }.'
      : undefined;
  if (typeof value !== 'number') return 'Expected a number.';
  const isTooFine = field.isWhole && !Number.isInteger(value);
  if (isTooFine) return field.factor === 1 ? 'Expected a whole number.' : 'Expected at most three decimals.';
  if (value < field.min)
    return field.min === 0 ? 'Expected 0 or more.' : `Expected at least ${shown(field, field.min)}.`;
  return value > field.max ? `Expected at most ${shown(field, field.max)}.` : undefined;
}

function jsonObjectIn(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Default value as text, used as the placeholder of an empty field. */
export function defaultText(field: SettingField, value: unknown = field.default): string {
  if (field.kind === 'choice')
    return field.choices.find((choice) => choice.value === value)?.label ?? String(value);
  return (field.kind === 'number' ? wordsOfOff(field, value) : undefined) ?? settingToText(field, value);
}

/** Text below a field that names the usual value. */
export const usualText = (field: NumberField): string =>
  `Usual: ${wordsOfOff(field, field.default) ?? shown(field, field.default)}.`;

/** Text for the value that turns the setting off; undefined for other values. */
export const wordsOfOff = (field: NumberField, value: unknown): string | undefined =>
  value === field.off?.value ? field.off?.words : undefined;

const shown = (field: NumberField, value: number) => `${value / field.factor} ${field.unit}`;

/**
 * Parses a number. A comma counts as a decimal point, because German and French keyboards have a comma key next to the digits.
 */
const toNumber = (text: string) =>
  /^[+-]?(?:\d+|\d*[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;

interface FieldBase {
  /** Path under the key `panel`: `limits.maxMemoryMiB`. */
  readonly path: string;
  readonly label: string;
  /** Hint about the effect of the setting, if the label does not explain it. */
  readonly hint?: string;
}

/** Number that is shown in `unit`. The value in the file is the shown number times `factor`. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly unit: string;
  readonly factor: number;
  /** Default in the unit of the file; `min` and `max` use the same unit. */
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** Value that turns the setting off, and the text shown for it. */
  readonly off?: { readonly value: number; readonly words: string };
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly default: string | boolean;
  readonly choices: readonly { readonly value: string | boolean; readonly label: string }[];
}

/** Plain text, or a JSON object. */
export interface PlainField extends FieldBase {
  readonly kind: 'text';
  readonly default?: undefined;
  readonly isJson?: true;
}

export type SettingField = NumberField | ChoiceField | PlainField;

export interface SettingGroup {
  readonly id: 'start' | 'health' | 'check' | 'calls' | 'restart' | 'limits' | 'sessions';
  readonly title: string;
  readonly fields: readonly SettingField[];
}
