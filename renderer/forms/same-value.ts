import { ownValue } from '../../shared/own-value.ts';
/** Whether two JSON values are equal, regardless of the order of properties. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, ownValue(b, key)))
  );
}
