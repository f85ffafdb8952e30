/** Names of the colours that a server can have. The slot of a server is the index of its colour in this list and in the theme. */
export const colourNames = ['Violet', 'Teal', 'Rose', 'Olive', 'Blue', 'Purple', 'Brown', 'Slate'] as const;

/** Colour slots by server; null if the server is grey, because no slot was free when it was added. */
export type ServerColours = ReadonlyMap<string, number | null>;

/**
 * Returns the colours after servers were added or removed. Servers keep their slots until removed; new servers get free slots.
 */
export function coloursOf(before: ServerColours, names: readonly string[]): ServerColours {
  if (before.size === names.length && names.every((name) => before.has(name))) return before;
  const kept = new Set(names);
  const after = new Map([...before].filter(([name]) => kept.has(name)));
  for (const name of names) if (!after.has(name)) after.set(name, freeSlot(after.values()));
  return after;
}

/** Returns the colours after the user assigned a slot to a server. The server that had the slot loses it. */
export const withColour = (before: ServerColours, server: string, slot: number | null): ServerColours =>
  new Map([
    ...[...before].map(([name, had]) => [name, had === slot ? null : had] as const),
    [server, slot] as const,
  ]);

/** Returns the colours for a few servers drawn together. Gray servers temporarily get slots that none of the others has. */
export function withBorrowed(colours: ServerColours, servers: readonly string[]): ServerColours {
  const shown = new Map(servers.map((server) => [server, colours.get(server) ?? null]));
  for (const [server, slot] of shown) if (slot === null) shown.set(server, freeSlot(shown.values()));
  return shown;
}

function freeSlot(taken: Iterable<number | null>): number | null {
  const slots = new Set(taken);
  const free = colourNames.findIndex((_, slot) => !slots.has(slot));
  return free === -1 ? null : free;
}

/**
 * CSS colour of a server: that of its slot, or grey if it has none. If `server` is undefined, it is a paler grey for all
 * remaining servers, which are drawn as one.
 */
export function colourOf(server: string | undefined, colours: ServerColours): string {
  if (server === undefined) return 'var(--strong-line)';
  const slot = colours.get(server);
  return slot == null ? 'var(--no-colour)' : `var(--series-${slot})`;
}
