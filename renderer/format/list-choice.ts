export const serverFilters = ['all', 'attention', 'running', 'stopped', 'disabled'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const serverGroupings = ['none', 'state', 'transport', 'command'] as const;
export type ServerGrouping = (typeof serverGroupings)[number];

/** Which servers the overview lists, under which headings, and with which columns that are not always there. */
export interface ListChoice {
  readonly filter: ServerFilter;
  readonly grouping: ServerGrouping;
  readonly showsCalls: boolean;
}

export const everyServer: ListChoice = { filter: 'all', grouping: 'none', showsCalls: false };
