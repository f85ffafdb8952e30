import { createStore, type StoreApi } from 'zustand/vanilla';

/** Sections of a server's page; the first is the one that opens. */
export const serverTabs = [
  'overview',
  'processes',
  'tools',
  'sessions',
  'logs',
  'configuration',
  'restarts',
] as const;
export type ServerTab = (typeof serverTabs)[number];

export type Route =
  | { readonly view: 'servers' }
  | {
      readonly view: 'server';
      readonly name: string;
      readonly tab: ServerTab;
      /** Of the tab `restarts`: id of the end, or of an event that belongs to it, that is asked about. */
      readonly end?: string;
    }
  | { readonly view: 'activity' }
  | { readonly view: 'clients' }
  | { readonly view: 'settings' };

export interface RouteState {
  readonly route: Route;
}

export type RouteStore = StoreApi<RouteState>;

/** View that a location hash names; anything unknown is the overview. */
export function parseRoute(hash: string): Route {
  if (hash === '#/activity') return { view: 'activity' };
  if (hash === '#/clients') return { view: 'clients' };
  if (hash === '#/settings') return { view: 'settings' };
  const [, name, section, end] = /^#\/servers\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(hash) ?? [];
  if (name === undefined) return { view: 'servers' };
  const tab = serverTabs.find((known) => known === section) ?? serverTabs[0];
  const place = { view: 'server' as const, name: decodeName(name), tab };
  return tab === 'restarts' && end !== undefined ? { ...place, end: decodeName(end) } : place;
}

/** Hash of a view, for links. */
export function hrefOf(route: Route): string {
  if (route.view !== 'server') return `#/${route.view}`;
  const page = `#/servers/${encodeURIComponent(route.name)}`;
  if (route.tab === serverTabs[0]) return page;
  const section = `${page}/${route.tab}`;
  return route.end === undefined ? section : `${section}/${encodeURIComponent(route.end)}`;
}

/** Hash of a server's page, at its first section. */
export const serverHref = (name: string): string => hrefOf({ view: 'server', name, tab: serverTabs[0] });

/**
 * Store of the view, which follows the location hash so that links, reload and the back button work without
 * further code.
 */
export const createRouteStore = (hash: string): RouteStore =>
  createStore<RouteState>(() => ({ route: parseRoute(hash) }));

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A hash with a stray percent sign was typed by hand. No server has such a name, and the page says so.
    return encoded;
  }
}
