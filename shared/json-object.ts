/** JSON object: names with values of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects; false for arrays and null, although `typeof` returns 'object' for both. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
