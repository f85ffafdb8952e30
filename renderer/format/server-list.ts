import type { ServerView } from '../../shared/domain.ts';
import { needsAttention, severityOrder, shownState, stateWords } from '../../shared/server-states.ts';
import type { ListChoice, ServerFilter, ServerGrouping } from './list-choice.ts';
import { matchesSearch } from './search.ts';

export type ListedServer = Pick<
  ServerView,
  'name' | 'state' | 'restartAttempt' | 'disabled' | 'transport' | 'target'
>;

export interface ServerGroup {
  /** Empty for the one group of a list that is not grouped. */
  readonly title: string;
  readonly names: readonly string[];
}

export interface ServerArrangement {
  /** Everything that needs attention, whatever is listed. */
  readonly attention: readonly string[];
  /** Without empty ones. */
  readonly groups: readonly ServerGroup[];
}

export const filterNames: Readonly<Record<ServerFilter, string>> = {
  all: 'All',
  attention: 'Needs attention',
  running: 'Running',
  stopped: 'Stopped',
  disabled: 'Disabled',
};

/** What is said when a filter lets nothing through. */
export const emptyFilterWords: Readonly<Record<ServerFilter, string>> = {
  all: 'There is no server.',
  attention: 'No server needs attention now.',
  running: 'No server is running.',
  stopped: 'No server is stopped.',
  disabled: 'No server is disabled.',
};

export const groupingNames: Readonly<Record<ServerGrouping, string>> = {
  none: 'none',
  state: 'state',
  transport: 'transport',
  command: 'command',
};

export const transportNames: Readonly<Record<ServerView['transport'], string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
};

const filters: Readonly<Record<ServerFilter, (server: ListedServer) => boolean>> = {
  all: () => true,
  attention: (server) => needsAttention(shownState(server)),
  running: (server) => ['running', 'starting'].includes(shownState(server)),
  stopped: (server) => ['stopped', 'stopping'].includes(server.state.kind),
  disabled: (server) => server.disabled === true,
};

/** How many servers each filter lets through. */
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

/** The servers to show, in the order given; groups of states by what they ask of a person, all others by their titles. */
export function arrangeServers(
  servers: readonly ListedServer[],
  { filter, grouping, search }: Pick<ListChoice, 'filter' | 'grouping'> & { readonly search: string },
): ServerArrangement {
  const shown = servers.filter((server) => filters[filter](server) && matchesSearch(server, search));
  const groups = new Map<string, string[]>();
  for (const server of shown) {
    const title = titleOf(server, grouping);
    groups.set(title, [...(groups.get(title) ?? []), server.name]);
  }
  const titles = grouping === 'state' ? stateTitles : [...groups.keys()].toSorted(byTitle);
  return {
    attention: servers.filter(filters.attention).map(({ name }) => name),
    groups: titles.flatMap((title) => {
      const names = groups.get(title);
      return names === undefined ? [] : [{ title, names }];
    }),
  };
}

/** Under it stands whatever is reached and not run. */
const REMOTE_TITLE = 'Remote';

const stateTitles = severityOrder.map((kind) => stateWords[kind]);
const byTitle = (a: string, b: string): number => a.localeCompare(b, 'en', { sensitivity: 'base' });

function titleOf(server: ListedServer, grouping: ServerGrouping): string {
  switch (grouping) {
    case 'none':
      return '';
    case 'state':
      return stateWords[shownState(server)];
    case 'transport':
      return transportNames[server.transport];
    case 'command':
      return server.transport === 'stdio' ? programOf(server.target) : REMOTE_TITLE;
  }
}

/** The program alone: "npx" of "/usr/bin/npx -y x". Only a Windows path with its extension may hold spaces. */
function programOf(target: string): string {
  const path =
    /^[a-z]:\\.*?\.(?:exe|cmd|bat)(?=\s|$)/i.exec(target)?.[0] ?? target.split(' ', 1)[0] ?? target;
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return file.replace(/\.(?:exe|cmd|bat)$/i, '') || target;
}
