/**
 * Embeddings, overrides and isolates: they reorder the text that follows, so that a line reads differently
 * from what it says.
 */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text with `‹U+202E›` in the place of each control of the writing direction; right-to-left scripts need no
 * such control.
 */
export const showDirectionControls = (text: string): string =>
  text.replace(
    directionControls,
    (control) => `‹U+${control.codePointAt(0)?.toString(16).toUpperCase() ?? ''}›`,
  );

/** JSON value with these controls shown in every text; the same value where there are none. */
export function withShownDirection<T>(value: T): T {
  return shown(value) as T;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return showDirectionControls(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(shown);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const shownEntries = entries.map(([name, inner]) => [showDirectionControls(name), shown(inner)] as const);
  const isSame = shownEntries.every(
    ([name, inner], index) => name === entries[index]?.[0] && inner === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(shownEntries);
}
