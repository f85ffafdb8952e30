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
