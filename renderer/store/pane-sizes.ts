const KEY = 'mcp-control-panel.tool-panes';

/** Sizes of the panes of the tools view. */
export interface PaneSizes {
  /** Width of the list in px. */
  readonly listPx: number;
  /** The form's share of the width that the list leaves, in percent. */
  readonly formPercent: number;
}

export const usualSizes: PaneSizes = { listPx: 264, formPercent: 50 };

const LEAST_LIST_PX = 160;
export const MOST_LIST_PX = 480;
const LEAST_FORM_PERCENT = 15;

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Limits sizes so that every pane remains usable. */
export const boundSizes = ({ listPx, formPercent }: PaneSizes): PaneSizes => ({
  listPx: Math.round(within(listPx, LEAST_LIST_PX, MOST_LIST_PX)),
  formPercent: Math.round(within(formPercent, LEAST_FORM_PERCENT, 100 - LEAST_FORM_PERCENT) * 10) / 10,
});

/** Last sizes, from local storage; the default if they cannot be read. */
export function readPaneSizes(storage: Pick<Storage, 'getItem'>): PaneSizes {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Record<keyof PaneSizes, unknown>> | null;
    const numberOf = (value: unknown, usual: number) =>
      typeof value === 'number' && Number.isFinite(value) ? value : usual;
    return boundSizes({
      listPx: numberOf(kept?.listPx, usualSizes.listPx),
      formPercent: numberOf(kept?.formPercent, usualSizes.formPercent),
    });
  } catch {
    // The stored text is no JSON, or the app window has no local storage.
    return usualSizes;
  }
}

/** Stores the sizes for the next app run. */
export function keepPaneSizes(sizes: PaneSizes, storage: Pick<Storage, 'setItem'>): void {
  try {
    storage.setItem(KEY, JSON.stringify(sizes));
  } catch {
    // A full or forbidden storage loses the sizes for the next app run only.
  }
}
