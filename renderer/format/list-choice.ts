export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command', 'place'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Columns by which the list can be sorted. The order by `name` changes only if a server is added, removed or renamed. */
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

/** Row height of the list: `comfortable` has two lines, the second of which describes the server; `compact` has one. */
export const listDensities = ['comfortable', 'compact'] as const;
export type ListDensity = (typeof listDensities)[number];

/** Columns that can be hidden, each with its setting, its label in the list and its name for screen readers. */
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
 * Returns the sorting after a click on a header. The first click on a number column sorts descending, the second ascending;
 * names and states are sorted ascending first. A third click restores the default order.
 */
export function nextSorting(column: SortColumn, { sortBy, isDescending }: Sorting): Sorting {
  const beginsDescending = column !== 'name' && column !== 'state';
  if (column !== sortBy) return { sortBy: column, isDescending: beginsDescending };
  if (isDescending === beginsDescending) return { sortBy: column, isDescending: !isDescending };
  return { sortBy: everyServer.sortBy, isDescending: everyServer.isDescending };
}
