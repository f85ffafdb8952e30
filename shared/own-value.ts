/**
 * Returns the value of a field that the object itself has; undefined for an inherited field. Names from outside must not index
 * an object directly, because every object inherits "constructor", "toString" and others.
 */
export function ownValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined;
export function ownValue(object: object, name: string): unknown;
export function ownValue(object: object, name: string): unknown {
  // eslint-disable-next-line local/no-foreign-index -- the one place that asks first
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns the value at a path of objects and lists; undefined if the path leads nowhere. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? ownValue(at, String(step)) : undefined),
    value,
  );
