import { createStore, type StoreApi } from 'zustand/vanilla';
import { logQueryText, parseLogQuery, type LogQuery } from './log-query.ts';

/** Sections of a server's page; the first is the one that opens. */
export const serverTabs = ['overview', 'processes', 'tools', 'sessions', 'logs', 'configuration'] as const;
export type ServerTab = (typeof serverTabs)[number];

export type Route =
  | { readonly view: 'servers' }
  /** `query` is of the logs alone. */
  | { readonly view: 'server'; readonly name: string; readonly tab: ServerTab; readonly query?: LogQuery }
  | { readonly view: 'logs'; readonly query: LogQuery }
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
  const [path = '', asked = ''] = hash.split('?', 2);
  if (path === '#/logs') return { view: 'logs', query: parseLogQuery(asked) };
  const [, name, section] = /^#\/servers\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (name === undefined) return { view: 'servers' };
  const tab = serverTabs.find((known) => known === section) ?? serverTabs[0];
  const page = { view: 'server', name: decodeName(name), tab } as const;
  return tab === 'logs' && asked !== '' ? { ...page, query: parseLogQuery(asked) } : page;
}

/** Hash of a view, for links. */
export function hrefOf(route: Route): string {
  if (route.view === 'logs') return `#/logs${logQueryText(route.query)}`;
  if (route.view !== 'server') return `#/${route.view}`;
  const page = `#/servers/${encodeURIComponent(route.name)}`;
  return route.tab === serverTabs[0] ? page : `${page}/${route.tab}${logQueryText(route.query ?? {})}`;
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
