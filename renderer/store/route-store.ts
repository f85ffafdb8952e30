import { createStore, type StoreApi } from 'zustand/vanilla';

export type Route =
  | { readonly view: 'servers' }
  | { readonly view: 'server'; readonly name: string }
  | { readonly view: 'activity' };

export interface RouteState {
  readonly route: Route;
}

export type RouteStore = StoreApi<RouteState>;

/** Which view a location hash names; anything unknown is the overview. */
export function parseRoute(hash: string): Route {
  const [, view, name] = /^#\/(servers|activity)(?:\/([^/]+))?$/.exec(hash) ?? [];
  if (view === 'activity') return { view };
  return name === undefined ? { view: 'servers' } : { view: 'server', name: decodeName(name) };
}

/** The hash of a view, for links. */
export function hrefOf(route: Route): string {
  return route.view === 'server' ? `#/servers/${encodeURIComponent(route.name)}` : `#/${route.view}`;
}

/** The view follows the location hash, so that links, reload and the back button work without further code. */
export const createRouteStore = (hash: string): RouteStore =>
  createStore<RouteState>(() => ({ route: parseRoute(hash) }));

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A hand-typed hash with a stray percent sign; no server has such a name, and the page says so.
    return encoded;
  }
}
