import { isJsonObject } from '../../../shared/json-object.ts';
import { ownValue } from '../../../shared/own-value.ts';

/** Detail of an event. It may be of another version of the panel, so nothing in it is sure. */
export type Detail = Readonly<Record<string, unknown>>;

export function textIn(detail: Detail, field: string): string | undefined {
  const value = ownValue(detail, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(detail: Detail, field: string): number | undefined {
  const value = ownValue(detail, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function recordIn(detail: Detail, field: string): Detail {
  const value = ownValue(detail, field);
  return isJsonObject(value) ? value : {};
}

export function recordsIn(detail: Detail, field: string): readonly Detail[] {
  const value = ownValue(detail, field);
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}
