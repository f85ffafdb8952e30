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
/** Address of the processes, which are a part of the first section. */
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
      /** Id of a run's end to show, or of an event that belongs to it; only with the tab `restarts`. */
      readonly end?: string;
      /** Filter; only with the tab `logs`. */
      readonly query?: LogQuery;
      /** Whether to show the processes; only with the tab `overview`. */
      readonly showsProcesses?: true;
    }
  /** Use of resources by all servers over time. */
  | { readonly view: 'usage' }
  /** Comparison of servers; empty if none are chosen yet. */
  | { readonly view: 'compare'; readonly servers: readonly string[] }
  | { readonly view: 'logs'; readonly query: LogQuery }
  | { readonly view: 'activity' }
  /** All clients, or the page of the one with this id. */
  | { readonly view: 'clients'; readonly client?: string }
  | { readonly view: 'settings'; readonly page: SettingsPage };

/** Maximum servers in one chart, because more curves cannot be distinguished. */
export const MAX_COMPARED = 6;

interface RouteState {
  readonly route: Route;
}

export type RouteStore = StoreApi<RouteState>;

/** Parses a location hash; an unknown one leads to the overview. */
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

/** Hash of a view, for links. */
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

/** Hash of a server's page, at its first section. */
export const serverHref = (name: string): string => hrefOf({ view: 'server', name, tab: serverTabs[0] });

/** Store of the route, which follows the location hash so that links, reload and the back button work without further code. */
export const createRouteStore = (hash: string): RouteStore =>
  createStore<RouteState>(() => ({ route: parseRoute(hash) }));

/** Decodes names between commas, without duplicates. */
function decodeNames(encoded = ''): readonly string[] {
  const names = encoded.split(',').filter((name) => name !== '');
  return [...new Set(names.map(decodeName))].slice(0, MAX_COMPARED);
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A hash with a stray percent sign was typed by hand. No server has such a name, and the page reports that.
    return encoded;
  }
}
