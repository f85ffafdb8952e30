/** Number of colours for servers; the theme has as many. */
const SLOTS = 8;

/** Colour of each server by its place among all, and a quiet one for the panel. */
export function colourOf(names: readonly string[], server: string | null): string {
  const place = server === null ? -1 : names.indexOf(server);
  return place < 0 ? 'var(--strong-line)' : `var(--series-${place % SLOTS})`;
}
