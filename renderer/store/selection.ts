/** Selected servers. A command for several servers applies to all of them. */
export interface Selection {
  readonly names: ReadonlySet<string>;
  /** Server at which a range selection begins; undefined before the first selection. */
  readonly anchor: string | undefined;
  /** Server at which the last range selection ended; undefined before the first selection. */
  readonly end: string | undefined;
}

export const noSelection: Selection = { names: new Set(), anchor: undefined, end: undefined };

/** Selects or deselects a server. The next range selection begins at this server. */
export function toggle({ names }: Selection, name: string): Selection {
  const others = new Set(names);
  if (!others.delete(name)) others.add(name);
  return { names: others, anchor: name, end: name };
}

/** Selects all servers from the anchor to `name`, in the order shown, and deselects the previously selected range. */
export function extendTo(selection: Selection, shown: readonly string[], name: string): Selection {
  const { anchor = name, end = anchor } = selection;
  const names = new Set(selection.names);
  for (const one of between(shown, anchor, end)) names.delete(one);
  for (const one of between(shown, anchor, name)) names.add(one);
  return { names, anchor, end: name };
}

export const selectAll = (shown: readonly string[]): Selection => ({
  names: new Set(shown),
  anchor: shown[0],
  end: shown.at(-1),
});

/**
 * Deselects hidden servers, because a command must not affect them. Returns the same object if every selected server is shown.
 */
export function keepShown(selection: Selection, shown: readonly string[]): Selection {
  const known = new Set(shown);
  const names = [...selection.names].filter((name) => known.has(name));
  return names.length === selection.names.size ? selection : { ...selection, names: new Set(names) };
}

function between(shown: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [shown.indexOf(from), shown.indexOf(to)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return first < 0 ? shown.slice(last, last + 1) : shown.slice(first, last + 1);
}
