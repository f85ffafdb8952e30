import type { StoreApi } from 'zustand/vanilla';
import type { ViewState } from './view-store.ts';

const KEY = 'mcp-control-panel.import-offer';
const SETTLED = 'settled';

type Offer = Pick<ViewState, 'offersImports'>;

/** Whether to offer an import, from local storage; true if the storage cannot be read. */
export function readImportOffer(storage: Pick<Storage, 'getItem'>): Offer {
  try {
    return { offersImports: storage.getItem(KEY) !== SETTLED };
  } catch {
    return { offersImports: true };
  }
}

/** Stores, for the next app run, that the user has answered the offer. Returns the unsubscribe function. */
export function keepImportOffer(view: StoreApi<Offer>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ offersImports }, before) => {
    if (offersImports || !before.offersImports) return;
    try {
      storage.setItem(KEY, SETTLED);
    } catch {
      // Without storage, the offer appears again in the next app run.
    }
  });
}
