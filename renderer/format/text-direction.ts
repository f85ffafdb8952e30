/**
 * Embeddings, overrides and isolates: they reorder the text that follows, so that a line reads differently
 * from what it says.
 */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Characters that nobody sees, or takes for another: controls, formats, marks of lines, private and unpaired ones,
 * every blank but the plain one; and the bracket in which their numbers stand, so that no text can imitate one.
 */
const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2039]|(?! )\p{Zs}/gu;

const numbered = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Running text with `‹U+202E›` in the place of each control of the writing direction; right-to-left scripts need no
 * such control.
 */
export const showDirectionControls = (text: string): string => text.replace(directionControls, numbered);

/**
 * Name, command or argument with `‹U+200B›` in the place of each character that cannot be seen: two texts that
 * differ never look the same because of one.
 */
export const showHiddenCharacters = (text: string): string => text.replace(hiddenCharacters, numbered);

/** Whether a text has a character that cannot be seen. Ends of lines and tabs are seen by what they do. */
export const hasHiddenCharacters = (text: string): boolean =>
  text.replace(/[\n\t\u2039]/g, '').search(hiddenCharacters) >= 0;

/** Keys of the panel's answers under which a command line or an address stands. */
const NAMES_WHAT_RUNS: ReadonlySet<string> = new Set(['target']);

/** JSON value with these controls shown in every text; the same value where there are none. */
export function withShownDirection<T>(value: T): T {
  return shown(value, showDirectionControls) as T;
}

function shown(value: unknown, show: (text: string) => string): unknown {
  if (typeof value === 'string') return show(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shown(item, show));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const shownEntries = entries.map(
    ([name, inner]) =>
      [
        showDirectionControls(name),
        shown(inner, NAMES_WHAT_RUNS.has(name) ? showHiddenCharacters : show),
      ] as const,
  );
  const isSame = shownEntries.every(
    ([name, inner], index) => name === entries[index]?.[0] && inner === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(shownEntries);
}
