export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Columns that the list can be sorted by. By `name` it has the order that nothing but a name changes. */
export const sortColumns = [
  'name',
  'state',
  'memory',
  'cpu',
  'processes',
  'restarts',
  'calls',
  'uptime',
] as const;
export type SortColumn = (typeof sortColumns)[number];

/** Rows of two lines, the second of which says what the server is; or rows of one. */
export const listDensities = ['comfortable', 'compact'] as const;
export type ListDensity = (typeof listDensities)[number];

/** Which servers the overview lists, under which headings, in which order, and how. */
export interface ListChoice {
  readonly filter: ServerFilter;
  readonly grouping: ServerGrouping;
  readonly sortBy: SortColumn;
  readonly isDescending: boolean;
  readonly density: ListDensity;
  readonly showsProcesses: boolean;
  readonly showsRestarts: boolean;
  readonly showsCalls: boolean;
  readonly showsUptime: boolean;
}

/** The columns that can be left out. */
export type ColumnSwitch = 'showsProcesses' | 'showsRestarts' | 'showsCalls' | 'showsUptime';

/** Columns that can be left out, as they are called in the list and to a screen reader. */
export const columnSwitches: readonly {
  readonly setting: ColumnSwitch;
  readonly label: string;
  readonly words: string;
}[] = [
  { setting: 'showsProcesses', label: 'Processes', words: 'processes' },
  { setting: 'showsRestarts', label: 'Restarts', words: 'restarts' },
  { setting: 'showsCalls', label: 'Calls', words: 'calls per minute' },
  { setting: 'showsUptime', label: 'Uptime', words: 'uptime' },
];

export const everyServer: ListChoice = {
  filter: 'all',
  grouping: 'none',
  sortBy: 'name',
  isDescending: false,
  density: 'comfortable',
  showsProcesses: true,
  showsRestarts: true,
  showsCalls: false,
  showsUptime: true,
};

type Sorting = Pick<ListChoice, 'sortBy' | 'isDescending'>;

/**
 * Sorting after a click on a header: figures the largest first, then the smallest first, then no longer; names and
 * states the other way round and back.
 */
export function nextSorting(column: SortColumn, { sortBy, isDescending }: Sorting): Sorting {
  const beginsDescending = column !== 'name' && column !== 'state';
  if (column !== sortBy) return { sortBy: column, isDescending: beginsDescending };
  if (isDescending === beginsDescending) return { sortBy: column, isDescending: !isDescending };
  return { sortBy: everyServer.sortBy, isDescending: everyServer.isDescending };
}
