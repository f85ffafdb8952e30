import type { ServerView } from '../../shared/domain.ts';
import { commandsFor, type ServerCommand } from '../../shared/server-states.ts';
import { formatPlural } from '../format/figures.ts';
import type { Services } from '../services.ts';
import { giveOrAsk, interrupt, viewsOf } from './server-commands.ts';

type Needs<Key extends keyof Services> = Pick<Services, Key>;
type Commands = Needs<'actions' | 'manage' | 'panel'>;

/** Names of the servers to which the command applies now. */
export const meantBy = (servers: readonly ServerView[], command: ServerCommand): readonly string[] =>
  servers.filter((server) => commandsFor(server)[command]).map(({ name }) => name);

/** Names of the servers that the command "Stop all" stops: all that are neither stopped nor failed. */
export const stoppable = (servers: readonly ServerView[]): readonly string[] =>
  servers.filter(({ state }) => state.kind !== 'stopped' && state.kind !== 'failed').map(({ name }) => name);

export const failed = (servers: readonly ServerView[]): readonly string[] =>
  servers.filter(({ state }) => state.kind === 'failed').map(({ name }) => name);

/** Runs a command for the servers to which it applies, or asks once first if calls would be lost. */
export function runMany(services: Commands, command: ServerCommand, names: readonly string[]): void {
  giveOrAsk(services, command, meantBy(viewsOf(services, names), command));
}

/** Stops all servers that run or are about to run. */
export function stopAll(services: Commands): void {
  giveOrAsk(services, 'stop', stoppable([...services.panel.getState().servers.values()]));
}

/** Restarts the servers that failed. */
export function restartFailed(services: Commands): void {
  interrupt(services, 'restart', failed([...services.panel.getState().servers.values()]));
}

/** Removes many servers. Asks first, because many entries are removed from the file at once. */
export function askToRemoveMany(
  { manage, panel }: Needs<'manage' | 'panel'>,
  names: readonly string[],
): void {
  if (panel.getState().asksQuestions) manage.open({ kind: 'remove', servers: names });
  else void manage.remove(names);
}

/** Text such as "4 servers"; the name if there is only one. */
export const serversWords = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : formatPlural(names.length, 'server');
