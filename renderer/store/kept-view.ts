import type { StoreApi } from 'zustand/vanilla';
import type { ViewState } from './view-store.ts';
import {
  columnSwitches,
  everyServer,
  listDensities,
  serverFilters,
  serverGroupings,
  sortColumns,
  type ColumnSwitch,
  type ListChoice,
} from '../format/list-choice.ts';

/** Returns the text that an earlier app run stored. Undefined if there is no text, or if the app window has no local storage. */
export function readKept(storage: Pick<Storage, 'getItem'>, key: string): string | undefined {
  try {
    return storage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value that an earlier app run stored as JSON. Undefined if there is no value, or if its text is not valid JSON. */
export function readKeptJson(storage: Pick<Storage, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(readKept(storage, key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text for the next app run. If the storage is full or forbidden, only this text is lost. */
export function keepText(storage: Pick<Storage, 'setItem'>, key: string, text: string): void {
  try {
    storage.setItem(key, text);
  } catch {
    // The text is only lost for the next app run.
  }
}

const keys = {
  offersImports: 'mcp-control-panel.import-offer',
  offersSleep: 'mcp-control-panel.sleep-offer',
} as const;
const names = Object.keys(keys) as (keyof typeof keys)[];
const SETTLED = 'settled';

type Offers = Pick<ViewState, keyof typeof keys>;

/**
 * Returns which one-time suggestions (import servers, let servers sleep) the user has not answered yet, from local storage.
 * Returns all of them if the storage cannot be read.
 */
export function readOffers(storage: Pick<Storage, 'getItem'>): Offers {
  const isOpen = (name: keyof Offers) => readKept(storage, keys[name]) !== SETTLED;
  return { offersImports: isOpen('offersImports'), offersSleep: isOpen('offersSleep') };
}

/** Stores the answered suggestions (import servers, let servers sleep) to hide them later. Returns the unsubscribe function. */
export function keepOffers(view: StoreApi<Offers>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe((offers, before) => {
    for (const name of names.filter((one) => !offers[one] && before[one]))
      keepText(storage, keys[name], SETTLED);
  });
}

const KEY = 'mcp-control-panel.server-list';
const choiceKeys = Object.keys(everyServer) as readonly (keyof ListChoice)[];

/** Returns the last filter, grouping, sorting and columns of the server list from local storage; the defaults if unreadable. */
export function readListChoice(storage: Pick<Storage, 'getItem'>): ListChoice {
  const kept = readKeptJson(storage, KEY) as Partial<Record<keyof ListChoice, unknown>> | undefined;
  const oneOf = <T>(known: readonly T[], key: keyof ListChoice, otherwise: T): T =>
    known.find((value) => value === kept?.[key]) ?? otherwise;
  const flag = (key: 'isDescending' | ColumnSwitch): boolean => oneOf([true, false], key, everyServer[key]);
  const columns = columnSwitches.map(({ setting }) => [setting, flag(setting)]);
  return {
    filter: oneOf(serverFilters, 'filter', everyServer.filter),
    grouping: oneOf(serverGroupings, 'grouping', everyServer.grouping),
    sortBy: oneOf(sortColumns, 'sortBy', everyServer.sortBy),
    isDescending: flag('isDescending'),
    density: oneOf(listDensities, 'density', everyServer.density),
    ...(Object.fromEntries(columns) as Record<ColumnSwitch, boolean>),
  };
}

/** Stores the choices for the server list for the next app run. Returns the unsubscribe function. */
export function keepListChoice(view: StoreApi<ListChoice>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe((choice, before) => {
    if (choiceKeys.every((key) => choice[key] === before[key])) return;
    const kept = Object.fromEntries(choiceKeys.map((key) => [key, choice[key]]));
    keepText(storage, KEY, JSON.stringify(kept));
  });
}
