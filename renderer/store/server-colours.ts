import type { StoreApi } from 'zustand/vanilla';
import { colourNames, coloursOf, type ServerColours } from '../format/server-colours.ts';
import { keepText, readKeptJson } from './kept-view.ts';
import type { PanelStore } from './panel-store.ts';
import type { ViewState } from './view-store.ts';

const KEY = 'mcp-control-panel.server-colours';

type Colours = Pick<ViewState, 'colours'>;

/** Returns the colours of the servers from local storage. Empty if they cannot be read. */
export function readServerColours(storage: Pick<Storage, 'getItem'>): Colours {
  const kept = readKeptJson(storage, KEY);
  return { colours: Array.isArray(kept) ? checked(kept) : new Map() };
}

/** Returns the usable entries. If two servers have the same colour slot, only the first server keeps the slot. */
function checked(kept: readonly unknown[]): ServerColours {
  const colours = new Map<string, number | null>();
  const taken = new Set<unknown>();
  for (const entry of kept) {
    const [name, slot] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof name !== 'string') continue;
    const isUsable = typeof slot === 'number' && colourNames[slot] !== undefined && !taken.has(slot);
    colours.set(name, isUsable ? slot : null);
    taken.add(slot);
  }
  return colours;
}

/** Stores the colours for the next app run. Returns the unsubscribe function. */
export function keepServerColours(view: StoreApi<Colours>, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ colours }, before) => {
    if (colours !== before.colours) keepText(storage, KEY, JSON.stringify([...colours]));
  });
}

/** Returns server names sorted by memory over the last week, largest first. Rejects if the history cannot be read. */
type RankServers = (names: readonly string[]) => Promise<readonly string[]>;

/**
 * Gives each added server a colour, and frees the colours of removed servers. If more servers are added than there are colours,
 * as on the first start, the servers that use the most memory get the colours. If servers.json is broken, its list of servers
 * may be empty, so no colour is freed.
 */
export function colourServers(panel: PanelStore, view: StoreApi<Colours>, rank: RankServers): void {
  let isRanking = false;
  const assign = (names: readonly string[]) => {
    const before = view.getState().colours;
    const colours = coloursOf(before, names);
    if (colours !== before) view.setState({ colours });
  };
  panel.subscribe(({ phase, names, config }) => {
    if (phase === 'loading' || config.error !== undefined || isRanking) return;
    if (view.getState().colours.size > 0 || names.length <= colourNames.length) return assign(names);
    isRanking = true;
    void rank(names)
      .catch(() => names)
      .then((ranked) => {
        isRanking = false;
        // Servers without a measurement come last. Servers that were added in the meantime are handled at the next change.
        assign([...new Set([...ranked, ...names])].filter((name) => names.includes(name)));
      });
  });
}
