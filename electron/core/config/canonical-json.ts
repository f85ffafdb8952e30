import { isJsonObject } from '../../../shared/json-object.ts';

/** JSON with the keys of every object sorted, so that the order in which they were written does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );
}

/** Sorting is by code unit, because the order must not depend on the language of the machine. */
function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
