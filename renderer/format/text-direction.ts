import { numbered, showHiddenCharacters } from '../../shared/hidden-characters.ts';

/** Matches embedding, override and isolate characters, which reorder the text after them and so disguise a line's content. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Replaces characters that control the writing direction with a visible code such as `‹U+202E›`. Normal text in right-to-left
 * scripts does not need these characters.
 */
export const showDirectionControls = (text: string): string => text.replace(directionControls, numbered);

/** Names of properties that contain a command line or an address. In these, all invisible characters are shown. */
const NAMES_WHAT_RUNS: ReadonlySet<string> = new Set(['target']);

/** Makes direction control characters visible in all texts of a JSON value. Returns the same object if there are none. */
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
