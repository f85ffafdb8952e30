import { createContext, useContext, useMemo, useState } from 'react';

/** Ids of a log's open rows, kept in the log rather than in the rows, because a row scrolled out of view is unmounted. */
interface OpenRows {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly open: (ids: readonly string[]) => void;
}

export const OpenRowsContext = createContext<OpenRows>({
  ids: new Set(),
  toggle: () => undefined,
  open: () => undefined,
});

export function useOpenRows(): OpenRows {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set<string>());
  return useMemo(
    () => ({
      ids,
      toggle: (id) =>
        setIds(
          (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
        ),
      open: (more) => setIds((before) => new Set([...before, ...more])),
    }),
    [ids],
  );
}

/** Returns whether a row is open, and a function that toggles it. */
export function useOpenRow(id: string): readonly [boolean, () => void] {
  const { ids, toggle } = useContext(OpenRowsContext);
  return [ids.has(id), () => toggle(id)];
}

/** Id of a row of several entries. It contains the first entry's id but differs, because that entry also has its own row. */
export const foldedId = (id: string): string => `fold ${id}`;
