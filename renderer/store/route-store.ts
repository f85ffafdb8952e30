import { createStore, type StoreApi } from 'zustand/vanilla';
import { logQueryText, parseLogQuery, type LogQuery } from './log-query.ts';

/** Sections of a server's page; the first is the default. */
export const serverTabs = [
  'overview',
  'calls',
  'tools',
  'sessions',
  'logs',
  'restarts',
  'configuration',
] as const;
export type ServerTab = (typeof serverTabs)[number];
/** Part of the address that shows the processes, which belong to the first section. */
const PROCESSES = 'processes';

/** Pages of the settings; the first is the default. */
export const settingsPages = [
  'general',
  'appearance',
  'notifications',
  'alerts',
  'secrets',
  'gateway',
  'server-defaults',
  'containers',
  'history',
  'updates',
  'diagnostics',
  'about',
] as const;
export type SettingsPage = (typeof settingsPages)[number];

export type Route =
  | { readonly view: 'servers' }
  | {
      readonly view: 'server';
      readonly name: string;
      readonly tab: ServerTab;
      /** Id of the end of a run to show, or of an event that belongs to this end. Only defined for the tab `restarts`. */
      readonly end?: string;
      /** Filter of the log lines. Only defined for the tab `logs`. */
      readonly query?: LogQuery;
      /** Present if the processes are to be shown. Only defined for the tab `overview`. */
      readonly showsProcesses?: true;
    }
  /** Resource use of all servers over time. */
  | { readonly view: 'usage' }
  /** Comparison of servers. `servers` is empty until the user has chosen servers. */
  | { readonly view: 'compare'; readonly servers: readonly string[] }
  | { readonly view: 'logs'; readonly query: LogQuery }
  | { readonly view: 'activity' }
  /** List of all clients, or the page of the client whose id is `client`. */
  | { readonly view: 'clients'; readonly client?: string }
  | { readonly view: 'settings'; readonly page: SettingsPage };

/** Maximum servers in one chart, because more curves cannot be distinguished. */
export const MAX_COMPARED = 6;

interface RouteState {
  readonly route: Route;
}

export type RouteStore = StoreApi<RouteState>;

/** Parses a location hash. An unknown hash leads to the overview. */
export function parseRoute(hash: string): Route {
  const [path = '', asked = ''] = hash.split('?', 2);
  if (path === '#/usage') return { view: 'usage' };
  const [comparison, compared] = /^#\/compare(?:\/([^/]*))?$/.exec(path) ?? [];
  if (comparison !== undefined) return { view: 'compare', servers: decodeNames(compared) };
  if (path === '#/activity') return { view: 'activity' };
  const [, view, part] = path.split('/');
  if (view === 'clients') return { view, ...(part !== undefined && { client: decodeName(part) }) };
  if (view === 'settings')
    return { view, page: settingsPages.find((known) => known === part) ?? settingsPages[0] };
  if (path === '#/logs') return { view: 'logs', query: parseLogQuery(asked) };
  const [, name, section, end] = /^#\/servers\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
  if (name === undefined) return { view: 'servers' };
  const tab = serverTabs.find((known) => known === section) ?? serverTabs[0];
  const page = { view: 'server', name: decodeName(name), tab } as const;
  if (section === PROCESSES) return { ...page, showsProcesses: true };
  if (tab === 'restarts' && end !== undefined) return { ...page, end: decodeName(end) };
  return tab === 'logs' && asked !== '' ? { ...page, query: parseLogQuery(asked) } : page;
}

/** Returns the hash of a view, for links. */
export function hrefOf(route: Route): string {
  if (route.view === 'compare')
    return route.servers.length === 0
      ? '#/compare'
      : `#/compare/${route.servers.map(encodeURIComponent).join(',')}`;
  if (route.view === 'logs') return `#/logs${logQueryText(route.query)}`;
  if (route.view === 'clients' && route.client !== undefined)
    return `#/clients/${encodeURIComponent(route.client)}`;
  if (route.view === 'settings')
    return route.page === settingsPages[0] ? '#/settings' : `#/settings/${route.page}`;
  if (route.view !== 'server') return `#/${route.view}`;
  const page = `#/servers/${encodeURIComponent(route.name)}`;
  if (route.tab === serverTabs[0]) return route.showsProcesses ? `${page}/${PROCESSES}` : page;
  const section = `${page}/${route.tab}`;
  if (route.end !== undefined) return `${section}/${encodeURIComponent(route.end)}`;
  return `${section}${logQueryText(route.query ?? {})}`;
}

/** Returns the hash of the first section of a server's page. */
export const serverHref = (name: string): string => hrefOf({ view: 'server', name, tab: serverTabs[0] });

/** Creates the route store. It follows the location hash, so that links, reload and the back button work without further code. */
export const createRouteStore = (hash: string): RouteStore =>
  createStore<RouteState>(() => ({ route: parseRoute(hash) }));

/** Decodes a list of names separated by commas, and removes duplicates. */
function decodeNames(encoded = ''): readonly string[] {
  const names = encoded.split(',').filter((name) => name !== '');
  return [...new Set(names.map(decodeName))].slice(0, MAX_COMPARED);
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A hash with a stray percent sign was typed manually. No server has such a name, so the page reports that the server does
    // not exist.
    return encoded;
  }
}
