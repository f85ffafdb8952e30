/** Embeddings, overrides and isolates, which reorder the text after them, so that a line looks different from its content. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Characters that are invisible or look like others: control and format characters, line separators, private and unpaired ones,
 * all spaces but the plain one; and the bracket around their numbers, so that no text can imitate one.
 */
const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2039]|(?! )\p{Zs}/gu;

const numbered = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/** Replaces controls of the writing direction in running text by `‹U+202E›`; right-to-left scripts need no such control. */
export const showDirectionControls = (text: string): string => text.replace(directionControls, numbered);

/**
 * Replaces each invisible character of a name, command or argument by `‹U+200B›`, so that different texts always look
 * different.
 */
export const showHiddenCharacters = (text: string): string => text.replace(hiddenCharacters, numbered);

/** Whether a text has an invisible character. Line ends and tabs do not count, because their effect is visible. */
export const hasHiddenCharacters = (text: string): boolean =>
  text.replace(/[\n\t\u2039]/g, '').search(hiddenCharacters) >= 0;

/** Keys of a reply whose value is a command line or an address. */
const NAMES_WHAT_RUNS: ReadonlySet<string> = new Set(['target']);

/** Makes these characters visible in all texts of a JSON value; returns the same object if there are none. */
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
