/** Marks the fields of the overview that shortcuts focus. */
export const listFieldIds = { filter: 'filter', group: 'group' } as const;
