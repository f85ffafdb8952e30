import { useState } from 'react';
import { boundSizes, keepPaneSizes, readPaneSizes, usualSizes, type PaneSizes } from '../store/pane-sizes.ts';

const storageOf = (): Storage | undefined =>
  typeof window === 'undefined' ? undefined : window.localStorage;

/** Sizes of the panes as they were left, and how to change some of them. */
export function usePaneSizes(): readonly [PaneSizes, (changes: Partial<PaneSizes>) => void] {
  const [sizes, setSizes] = useState(() => {
    const storage = storageOf();
    return storage === undefined ? usualSizes : readPaneSizes(storage);
  });
  const change = (changes: Partial<PaneSizes>) => {
    const storage = storageOf();
    // The kept sizes are read again because the list and the form have this state each for themselves.
    const kept = storage === undefined ? sizes : readPaneSizes(storage);
    const next = boundSizes({ ...kept, ...changes });
    setSizes(next);
    if (storage !== undefined) keepPaneSizes(next, storage);
  };
  return [sizes, change];
}
