import type { ServerView } from '../../shared/domain.ts';
import { toErrorReport } from '../../shared/error-codes.ts';
import { commandsFor, shownState, type ServerCommand } from '../../shared/server-states.ts';
import { formatPlural } from '../format/figures.ts';
import type { Services } from '../services.ts';
import { moveOnFrom } from './focus-server.ts';
import { type Interruption, moveToSecrets } from '../store/manage-store.ts';

const idleKinds = new Set<ServerView['state']['kind']>(['stopped', 'failed', 'backoff', 'asleep']);
export const isIdle = ({ state }: ServerView): boolean => idleKinds.has(state.kind);

type Needs<Key extends keyof Services> = Pick<Services, Key>;

/** Removes an idle server immediately, because that can be undone. Asks first if the server is not idle. */
export function askToRemove({ manage, panel }: Needs<'manage' | 'panel'>, server: string): void {
  const { servers, asksQuestions } = panel.getState();
  const view = servers.get(server);
  if (view === undefined) return;
  if (isIdle(view) || !asksQuestions) void manage.remove([server]).then(moveOnFrom(server));
  else manage.open({ kind: 'remove', servers: [server] });
}

type Commands = Needs<'actions' | 'manage' | 'panel'>;

/** Runs a command immediately, or asks first if calls would be lost. Returns true if the command was run. */
export function runAction(services: Commands, action: ServerCommand, server: string): boolean {
  return giveOrAsk(services, action, [server]);
}

export const canSleep = (server: ServerView): boolean =>
  server.transport === 'stdio' && shownState(server) === 'running' && server.busy === undefined;

/** Puts a server to sleep. If that is refused, the note shows the error. */
export function letSleep({ api, manage }: Needs<'api' | 'manage'>, server: string): void {
  void api.sleepServer(server).catch((reason: unknown) => {
    const error = toErrorReport(reason, 'CANNOT_SLEEP');
    manage.setNote({ kind: 'failed', lead: `Could not let ${server} sleep`, server, error });
  });
}

export function toggleEnabled(services: Commands, server: string): void {
  const isDisabled = services.panel.getState().servers.get(server)?.disabled === true;
  if (isDisabled) void services.manage.setEnabled(server, true);
  else giveOrAsk(services, 'disable', [server]);
}

/** Runs a command for servers, or asks a single question first if calls would be lost. Returns true if the command was run. */
function giveOrAsk(services: Commands, command: Interruption | 'start', servers: readonly string[]): boolean {
  const isLoss = command !== 'start' && callsInFlight(viewsOf(services, servers)) > 0;
  const isQuestion = isLoss && services.panel.getState().asksQuestions;
  if (isQuestion) services.manage.open({ kind: 'interrupt', command, servers });
  else interrupt(services, command, servers);
  return !isQuestion;
}

const viewsOf = ({ panel }: Needs<'panel'>, names: readonly string[]): readonly ServerView[] =>
  names.flatMap((name) => panel.getState().servers.get(name) ?? []);

export const callsInFlight = (servers: readonly ServerView[]): number =>
  servers.reduce((sum, { busy }) => sum + (busy?.calls ?? 0), 0);

/**
 * Shows a note about added servers, unless the server list is in view, where they can be seen. If their values look like keys,
 * a note offers to move these values to secrets.
 */
export async function tellAdded(
  services: Needs<'api' | 'manage' | 'route'>,
  names: readonly string[],
  words: string,
): Promise<void> {
  const { api, manage, route } = services;
  const isShown = route.getState().route.view === 'servers';
  if (!isShown) manage.setNote({ kind: 'done', words });
  const all = await api.listPlainSecrets().catch(() => []);
  const plain = all.filter(({ server }) => names.includes(server));
  if (plain.length === 0) return;
  manage.setNote({
    kind: 'done',
    words: `${words} ${plain.length === 1 ? 'One value looks like a key' : `${plain.length} values look like keys`}.`,
    action: { label: 'Move to secrets', run: () => moveToSecrets(services, plain) },
  });
}

/** Runs the command without asking. Each row shows its own result. */
export function interrupt(
  { actions, manage }: Needs<'actions' | 'manage'>,
  command: Interruption | 'start',
  servers: readonly string[],
): void {
  for (const server of servers)
    void (command === 'disable' ? manage.setEnabled(server, false) : actions.run(command, server));
}

/** Names of the servers for which the command is available now. */
export const meantBy = (servers: readonly ServerView[], command: ServerCommand): readonly string[] =>
  servers.filter((server) => commandsFor(server)[command]).map(({ name }) => name);

/** Names of the servers that the command "Stop all" stops: all that are neither stopped nor failed. */
export const stoppable = (servers: readonly ServerView[]): readonly string[] =>
  servers.filter(({ state }) => state.kind !== 'stopped' && state.kind !== 'failed').map(({ name }) => name);

export const failed = (servers: readonly ServerView[]): readonly string[] =>
  servers.filter(({ state }) => state.kind === 'failed').map(({ name }) => name);

/** Runs a command for the servers for which it is available, or asks a single question first if calls would be lost. */
export function runMany(services: Commands, command: ServerCommand, names: readonly string[]): void {
  giveOrAsk(services, command, meantBy(viewsOf(services, names), command));
}

/** Stops all servers that are running or about to run. */
export function stopAll(services: Commands): void {
  giveOrAsk(services, 'stop', stoppable([...services.panel.getState().servers.values()]));
}

/** Restarts the servers that failed. */
export function restartFailed(services: Commands): void {
  interrupt(services, 'restart', failed([...services.panel.getState().servers.values()]));
}

/** Asks for confirmation before several servers are removed, because many entries are removed from the file together. */
export function askToRemoveMany(
  { manage, panel }: Needs<'manage' | 'panel'>,
  names: readonly string[],
): void {
  if (panel.getState().asksQuestions) manage.open({ kind: 'remove', servers: names });
  else void manage.remove(names);
}

/** Returns a text such as "4 servers", or the name if there is only one server. */
export const serversWords = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : formatPlural(names.length, 'server');
