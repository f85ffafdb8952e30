import { useState } from 'react';
import { keepText, readKeptJson } from './kept-view.ts';

const KEY = 'mcp-control-panel.tool-panes';

/** Sizes of the panes of the tools view. */
interface PaneSizes {
  /** Width of the list in px. */
  readonly listPx: number;
  /** Width of the form in percent of the width that is left beside the list. */
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

/** Returns the last sizes from local storage, or the default sizes if they cannot be read. */
export function readPaneSizes(storage: Pick<Storage, 'getItem'>): PaneSizes {
  const kept = readKeptJson(storage, KEY) as Partial<Record<keyof PaneSizes, unknown>> | undefined;
  const numberOf = (value: unknown, usual: number) =>
    typeof value === 'number' && Number.isFinite(value) ? value : usual;
  return boundSizes({
    listPx: numberOf(kept?.listPx, usualSizes.listPx),
    formPercent: numberOf(kept?.formPercent, usualSizes.formPercent),
  });
}

/** Stores the sizes for the next app run. */
export function keepPaneSizes(sizes: PaneSizes, storage: Pick<Storage, 'setItem'>): void {
  keepText(storage, KEY, JSON.stringify(sizes));
}

const storageOf = (): Storage | undefined =>
  typeof window === 'undefined' ? undefined : window.localStorage;

/** Returns the stored sizes of the panes, and a function that changes some of them. */
export function usePaneSizes(): readonly [PaneSizes, (changes: Partial<PaneSizes>) => void] {
  const [sizes, setSizes] = useState(() => {
    const storage = storageOf();
    return storage === undefined ? usualSizes : readPaneSizes(storage);
  });
  const change = (changes: Partial<PaneSizes>) => {
    const storage = storageOf();
    // The stored sizes are read again, because the list and the form each have their own copy of this state.
    const kept = storage === undefined ? sizes : readPaneSizes(storage);
    const next = boundSizes({ ...kept, ...changes });
    setSizes(next);
    if (storage !== undefined) keepPaneSizes(next, storage);
  };
  return [sizes, change];
}
