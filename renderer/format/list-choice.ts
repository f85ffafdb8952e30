export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Choice of servers that the overview lists, and their grouping. */
export interface ListChoice {
  readonly filter: ServerFilter;
  readonly grouping: ServerGrouping;
}

export const everyServer: ListChoice = { filter: 'all', grouping: 'none' };
