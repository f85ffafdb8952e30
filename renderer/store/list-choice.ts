import type { StoreApi } from 'zustand/vanilla';
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
import { keepText, readKeptJson } from './kept-value.ts';

const KEY = 'mcp-control-panel.server-list';
const choiceKeys = Object.keys(everyServer) as readonly (keyof ListChoice)[];

/** Last choice, from local storage; the default if it cannot be read. */
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

/** Stores the choice for the next app run. Returns the unsubscribe function. */
export function keepListChoice(view: StoreApi<ListChoice>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe((choice, before) => {
    if (choiceKeys.every((key) => choice[key] === before[key])) return;
    const kept = Object.fromEntries(choiceKeys.map((key) => [key, choice[key]]));
    keepText(storage, KEY, JSON.stringify(kept));
  });
}
