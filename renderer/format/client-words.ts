import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import { readsMetricsOnly } from '../../shared/gateway-use.ts';
import { formatDuration } from './durations.ts';
import { formatCount, formatPlural } from './figures.ts';
import { formatHourMinute } from './moments.ts';
import { listWords } from './word-lists.ts';

export const isConnected = ({ sessions }: ClientView): boolean => sessions.length > 0;

/** Calls of a client that wait for an answer. */
const inFlightOf = ({ sessions }: Pick<ClientView, 'sessions'>): number =>
  sessions.reduce((sum, { inFlight }) => sum + inFlight, 0);

/** What the programs behind a client call themselves, each once: "claude-code 2.1.0". */
export function programsOf({ sessions }: Pick<ClientView, 'sessions'>): string {
  return listWords([...new Set(sessions.flatMap(({ programs }) => programs))]);
}

/** "may use all servers", "may use github and memory", "may read metrics" */
export function scopeWords(client: Pick<ClientView, 'servers' | 'scopes'>): string {
  const { servers, scopes } = client;
  if (readsMetricsOnly(client)) return 'may read metrics';
  return scopes.includes('metrics') ? `${serversWords(servers)}, and read metrics` : serversWords(servers);
}

/** Whether it is there: "Connected"; of one that reads metrics, which needs no connection, that it does. */
export function presenceWords(client: ClientView): string {
  if (readsMetricsOnly(client)) return 'Reads metrics';
  return isConnected(client) ? 'Connected' : 'Not connected';
}

/** "cursor was refused 3 times since 10:42: its token was renewed." Undefined where it was not. */
export function refusedWords({ name, refused }: ClientView): string | undefined {
  if (!refused) return undefined;
  const times = refused.count === 1 ? 'once' : `${formatCount(refused.count)} times`;
  return `${name} was refused ${times} since ${formatHourMinute(refused.since)}: its token was renewed. Put the new token into its settings.`;
}

function serversWords(servers: readonly string[] | undefined): string {
  return servers === undefined ? 'may use all servers' : `may use ${listWords(servers)}`;
}

/** What a server may ask of it. */
export function declaredWords({ declares }: ClientUse): string {
  return declares.length === 0 ? 'nothing' : listWords(declares);
}

/** "2 calls, tools/call search for 4 s"; a dash where nothing is in flight. */
export function inFlightWords({ inFlight, oldest }: ClientUse): string {
  if (inFlight === 0) return 'none';
  const calls = formatPlural(inFlight, 'call');
  if (oldest === undefined) return calls;
  const { method, target, sinceMs } = oldest;
  const what = target === undefined ? method : `${method} ${target}`;
  return `${calls}, ${what} for ${formatDuration(sinceMs)}`;
}

/** What the curve of calls per minute shows. */
export function minuteWords(perMinute: readonly number[]): string {
  const total = perMinute.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No call in the last hour';
  return `${formatPlural(total, 'call')} in the last hour, at most ${Math.max(...perMinute)} a minute`;
}

/** What ends with a client's token: "Its 2 sessions end, and 1 call in flight is lost." */
export function lossWords(client: ClientView): string {
  if (readsMetricsOnly(client)) return 'It can no longer read the metrics.';
  const count = client.sessions.reduce((sum, use) => sum + use.count, 0);
  if (count === 0) return 'It has no session now.';
  const sessions = count === 1 ? 'Its session ends' : `Its ${formatPlural(count, 'session')} end`;
  const calls = inFlightOf(client);
  if (calls === 0) return `${sessions}.`;
  return `${sessions}, and ${formatPlural(calls, 'call')} in flight ${calls === 1 ? 'is' : 'are'} lost.`;
}
