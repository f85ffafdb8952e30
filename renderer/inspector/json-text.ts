/** Object or list if a text is JSON of one; undefined for any other text. */
export function jsonWithin(text: string): { readonly value: object } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}
