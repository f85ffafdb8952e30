import { useState } from 'react';
import { boundSizes, keepPaneSizes, readPaneSizes, usualSizes, type PaneSizes } from '../store/pane-sizes.ts';

const storageOf = (): Storage | undefined =>
  typeof window === 'undefined' ? undefined : window.localStorage;

/** Stored sizes of the panes, and a function that changes some of them. */
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
