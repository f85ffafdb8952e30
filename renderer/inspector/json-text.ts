/** Object or list that a text holds as JSON; undefined for any other text. */
export function jsonWithin(text: string): { readonly value: object } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}
