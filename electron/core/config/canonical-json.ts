import { isJsonObject } from '../../../shared/json-object.ts';

/** Returns JSON with the keys of every object sorted, so that their original order does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );
}

/** Compares keys by code unit, because the order must not depend on the machine's locale. */
function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
