import type { StoreApi } from 'zustand/vanilla';
import { keepText, readKept } from './kept-value.ts';
import type { ViewState } from './view-store.ts';

const keys = {
  offersImports: 'mcp-control-panel.import-offer',
  offersSleep: 'mcp-control-panel.sleep-offer',
} as const;
const names = Object.keys(keys) as (keyof typeof keys)[];
const SETTLED = 'settled';

type Offers = Pick<ViewState, keyof typeof keys>;

/** Offers that the user has not answered yet, from local storage; all of them if the storage cannot be read. */
export function readOffers(storage: Pick<Storage, 'getItem'>): Offers {
  const isOpen = (name: keyof Offers) => readKept(storage, keys[name]) !== SETTLED;
  return { offersImports: isOpen('offersImports'), offersSleep: isOpen('offersSleep') };
}

/** Stores, for the next app run, that the user has answered an offer. Returns the unsubscribe function. */
export function keepOffers(view: StoreApi<Offers>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe((offers, before) => {
    for (const name of names.filter((one) => !offers[one] && before[one]))
      keepText(storage, keys[name], SETTLED);
  });
}
