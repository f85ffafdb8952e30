import type { StoreApi } from 'zustand/vanilla';
import type { ViewState } from './view-store.ts';

const KEY = 'mcp-control-panel.import-offer';
const SETTLED = 'settled';

type Offer = Pick<ViewState, 'offersImports'>;

/** Whether the offer still stands, from the window's own memory. One that cannot be read stands. */
export function readImportOffer(storage: Pick<Storage, 'getItem'>): Offer {
  try {
    return { offersImports: storage.getItem(KEY) !== SETTLED };
  } catch {
    return { offersImports: true };
  }
}

/** Keeps a settled offer for the next launch. Returns the undo. */
export function keepImportOffer(view: StoreApi<Offer>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ offersImports }, before) => {
    if (offersImports || !before.offersImports) return;
    try {
      storage.setItem(KEY, SETTLED);
    } catch {
      // Without storage, the next launch offers once more.
    }
  });
}
