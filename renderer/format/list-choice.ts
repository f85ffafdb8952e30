export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command', 'place'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Columns by which the list can be sorted. The order by `name` changes only when a name does. */
export const sortColumns = [
  'name',
  'state',
  'memory',
  'cpu',
  'processes',
  'restarts',
  'calls',
  'lastUsed',
  'uptime',
] as const;
export type SortColumn = (typeof sortColumns)[number];

/** Row height of the list: two lines, the second of which describes the server, or one line. */
export const listDensities = ['comfortable', 'compact'] as const;
export type ListDensity = (typeof listDensities)[number];

/** Columns that can be hidden, with their setting, their label in the list and their name for screen readers. */
export const columnSwitches = [
  { setting: 'showsDay', label: 'Last 24 h', words: 'the last 24 hours' },
  { setting: 'showsCurves', label: 'Curves', words: 'curves of memory and CPU' },
  { setting: 'showsProcesses', label: 'Processes', words: 'processes' },
  { setting: 'showsRestarts', label: 'Restarts', words: 'restarts' },
  { setting: 'showsCalls', label: 'Calls 1 h', words: 'calls of the last hour' },
  { setting: 'showsLastUsed', label: 'Last used', words: 'the last use' },
  { setting: 'showsUptime', label: 'Uptime', words: 'uptime' },
] as const;
export type ColumnSwitch = (typeof columnSwitches)[number]['setting'];

/** Filter, grouping, sorting and columns of the list of servers in the overview. */
export interface ListChoice extends Readonly<Record<ColumnSwitch, boolean>> {
  readonly filter: ServerFilter;
  readonly grouping: ServerGrouping;
  readonly sortBy: SortColumn;
  readonly isDescending: boolean;
  readonly density: ListDensity;
}

export const everyServer: ListChoice = {
  filter: 'all',
  grouping: 'none',
  sortBy: 'name',
  isDescending: false,
  density: 'comfortable',
  showsDay: true,
  showsCurves: false,
  showsProcesses: false,
  showsRestarts: true,
  showsCalls: false,
  showsLastUsed: false,
  showsUptime: true,
};

type Sorting = Pick<ListChoice, 'sortBy' | 'isDescending'>;

/**
 * Sorting after a click on a header. Numbers are sorted descending, then ascending, then no longer; names and states ascending
 * first.
 */
export function nextSorting(column: SortColumn, { sortBy, isDescending }: Sorting): Sorting {
  const beginsDescending = column !== 'name' && column !== 'state';
  if (column !== sortBy) return { sortBy: column, isDescending: beginsDescending };
  if (isDescending === beginsDescending) return { sortBy: column, isDescending: !isDescending };
  return { sortBy: everyServer.sortBy, isDescending: everyServer.isDescending };
}
