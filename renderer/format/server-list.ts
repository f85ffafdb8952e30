import { groupBy } from '../../shared/group-by.ts';
import type { ServerView } from '../../shared/domain.ts';
import {
  needsAttention,
  markOrder,
  shownMark,
  shownState,
  markWords,
  stateWords,
} from '../../shared/server-states.ts';
import { formatCpu, formatMemory } from './figures.ts';
import type { ListChoice, ServerFilter, ServerGrouping, SortColumn } from './list-choice.ts';
import { whereOf, REMOTE_TITLE } from './server-place.ts';

type ListedServer = Pick<
  ServerView,
  'name' | 'state' | 'restartAttempt' | 'unstable' | 'disabled' | 'transport' | 'target' | 'host'
>;

export interface ServerGroup {
  /** Title; empty for the single group of an ungrouped list. */
  readonly title: string;
  readonly names: readonly string[];
}

export interface ServerArrangement {
  /** Names of the servers that need attention, even if the filter hides them. */
  readonly attention: readonly string[];
  /** Groups with at least one server. */
  readonly groups: readonly ServerGroup[];
}

export const filterNames: Readonly<Record<ServerFilter, string>> = {
  all: 'All',
  attention: 'Needs attention',
  running: 'Running',
  stopped: 'Stopped',
  disabled: 'Disabled',
};

/** Text shown if no server matches the filter. */
export const emptyFilterWords: Readonly<Record<ServerFilter, string>> = {
  all: 'There is no server.',
  attention: 'No server needs attention now.',
  running: 'No server is running.',
  stopped: 'No server is stopped.',
  disabled: 'No server is disabled.',
};

export const sortNames: Readonly<Record<SortColumn, string>> = {
  name: 'name',
  state: 'state',
  memory: 'memory',
  cpu: 'CPU',
  processes: 'processes',
  restarts: 'restarts',
  calls: 'calls',
  lastUsed: 'last use',
  uptime: 'uptime',
};

export const transportNames: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
};

const filters: Readonly<Record<ServerFilter, (server: ListedServer) => boolean>> = {
  all: () => true,
  attention: (server) => needsAttention(shownMark(server)),
  running: (server) => ['running', 'starting'].includes(shownState(server)),
  stopped: (server) => ['stopped', 'stopping'].includes(server.state.kind),
  disabled: (server) => server.disabled === true,
};

/** Number of servers that match each filter. */
export function countByFilter(servers: readonly ListedServer[]): Readonly<Record<ServerFilter, number>> {
  const count = (filter: ServerFilter) => servers.filter(filters[filter]).length;
  return {
    all: servers.length,
    attention: count('attention'),
    running: count('running'),
    stopped: count('stopped'),
    disabled: count('disabled'),
  };
}

/** Filters and groups servers, keeping their order in a group. Groups by state are sorted by urgency, all others by title. */
export function arrangeServers(
  servers: readonly ListedServer[],
  { filter, grouping, search }: Pick<ListChoice, 'filter' | 'grouping'> & { readonly search: string },
): ServerArrangement {
  const shown = servers.filter((server) => filters[filter](server) && matchesSearch(server, search));
  const groups = groupBy(shown, (server) => titleOf(server, grouping));
  const titles = grouping === 'state' ? stateTitles : [...groups.keys()].toSorted(byTitle);
  return {
    attention: attentionOf(servers),
    groups: titles.flatMap((title) => {
      const names = groups.get(title)?.map(({ name }) => name);
      return names === undefined ? [] : [{ title, names }];
    }),
  };
}

/**
 * Returns the names of the servers that need attention. Servers that run but are unstable come last, because they are not down.
 */
function attentionOf(servers: readonly ListedServer[]): readonly string[] {
  const isUnstable = (server: ListedServer) => Number(shownMark(server) === 'unstable');
  return servers
    .filter(filters.attention)
    .toSorted((a, b) => isUnstable(a) - isUnstable(b))
    .map(({ name }) => name);
}

const stateTitles = markOrder.map((kind) => markWords[kind]);
const byTitle = (a: string, b: string): number => a.localeCompare(b, 'en', { sensitivity: 'base' });

function titleOf(server: ListedServer, grouping: ServerGrouping): string {
  switch (grouping) {
    case 'none':
      return '';
    case 'state':
      return markWords[shownMark(server)];
    case 'transport':
      return transportNames[server.transport];
    case 'command':
      return server.transport === 'stdio' ? programOf(server.target) : REMOTE_TITLE;
    case 'place':
      return whereOf(server).title;
  }
}

/** Returns the name of a program: "npx" for "/usr/bin/npx -y x". Only a Windows path with a file extension may contain spaces. */
function programOf(target: string): string {
  const path =
    /^[a-z]:\\.*?\.(?:exe|cmd|bat)(?=\s|$)/i.exec(target)?.[0] ?? target.split(' ', 1)[0] ?? target;
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return file.replace(/\.(?:exe|cmd|bat)$/i, '') || target;
}

/** True if every word of the search occurs in the server's name, state or command. An empty search matches all servers. */
export function matchesSearch(
  server: Pick<ServerView, 'name' | 'state' | 'restartAttempt' | 'target'>,
  search: string,
): boolean {
  const states = `${stateWords[shownState(server)]} ${markWords[shownMark(server)]}`;
  const haystack = `${server.name} ${states} ${server.target}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** Returns the row of a server as text: its name, state, memory, CPU and command or address. */
export const rowText = (server: ServerView): string => {
  const { name, sample, target } = server;
  const state = markWords[shownMark(server)];
  return [name, state, formatMemory(sample?.memoryBytes), formatCpu(sample?.cpuPercent), target].join('\t');
};
