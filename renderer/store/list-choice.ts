import type { StoreApi } from 'zustand/vanilla';
import { everyServer, serverFilters, serverGroupings, type ListChoice } from '../format/list-choice.ts';

const KEY = 'mcp-control-panel.server-list';
const choiceKeys = Object.keys(everyServer) as readonly (keyof ListChoice)[];

/** The last choice, from the window's own memory. What cannot be read there is as if it had never been chosen. */
export function readListChoice(storage: Pick<Storage, 'getItem'>): ListChoice {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<
      Record<keyof ListChoice, unknown>
    > | null;
    return {
      filter: serverFilters.find((known) => known === kept?.filter) ?? everyServer.filter,
      grouping: serverGroupings.find((known) => known === kept?.grouping) ?? everyServer.grouping,
      showsCalls: kept?.showsCalls === true,
    };
  } catch {
    // Not JSON, or a window that may keep nothing.
    return everyServer;
  }
}

/** Keeps the choice for the next launch. Returns the undo. */
export function keepListChoice(view: StoreApi<ListChoice>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe((choice, before) => {
    if (choiceKeys.every((key) => choice[key] === before[key])) return;
    const { filter, grouping, showsCalls } = choice;
    try {
      storage.setItem(KEY, JSON.stringify({ filter, grouping, showsCalls } satisfies ListChoice));
    } catch {
      // A full or forbidden storage costs the next launch its choice, and this one nothing.
    }
  });
}
