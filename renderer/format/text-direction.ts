/** Embeddings, overrides and isolates: they turn what follows around, so that a line reads as something else than it says. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/** `‹U+202E›` in the place of each control of the writing direction; right-to-left scripts read as ever without them. */
export const showDirectionControls = (text: string): string =>
  text.replace(
    directionControls,
    (control) => `‹U+${control.codePointAt(0)?.toString(16).toUpperCase() ?? ''}›`,
  );

/** The same for every text within a JSON value; the very value where there is nothing to show. */
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
