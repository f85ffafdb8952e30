/** JSON object: names with values of any kind. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects, false for lists and null, which `typeof` takes for objects as well. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
