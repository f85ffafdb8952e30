import type { StoreApi } from 'zustand/vanilla';

export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Which servers the overview lists, and under which headings. */
export interface ListChoice {
  readonly filter: ServerFilter;
  readonly grouping: ServerGrouping;
}

export const everyServer: ListChoice = { filter: 'all', grouping: 'none' };

const KEY = 'mcp-control-panel.server-list';

/** The last choice, from the window's own memory. What cannot be read there is as if it had never been chosen. */
export function readListChoice(storage: Pick<Storage, 'getItem'>): ListChoice {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<
      Record<keyof ListChoice, unknown>
    > | null;
    return {
      filter: serverFilters.find((known) => known === kept?.filter) ?? everyServer.filter,
      grouping: serverGroupings.find((known) => known === kept?.grouping) ?? everyServer.grouping,
    };
  } catch {
    // Not JSON, or a window that may keep nothing.
    return everyServer;
  }
}

/** Keeps the choice for the next launch. Returns the undo. */
export function keepListChoice(view: StoreApi<ListChoice>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ filter, grouping }, before) => {
    if (filter === before.filter && grouping === before.grouping) return;
    try {
      storage.setItem(KEY, JSON.stringify({ filter, grouping } satisfies ListChoice));
    } catch {
      // A full or forbidden storage costs the next launch its choice, and this one nothing.
    }
  });
}
