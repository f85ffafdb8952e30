import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import { endpointName, readsMetricsOnly } from '../../shared/gateway-use.ts';
import { formatDuration } from './durations.ts';
import { formatCount, formatPlural, listWords } from './figures.ts';
import { formatHourMinute } from './moments.ts';

export const isConnected = ({ sessions }: ClientView): boolean => sessions.length > 0;

/** Returns the number of a client's calls that wait for an answer. */
const inFlightOf = ({ sessions }: Pick<ClientView, 'sessions'>): number =>
  sessions.reduce((sum, { inFlight }) => sum + inFlight, 0);

/** Names and versions that a client's programs reported, each once: "claude-code 2.1.0". */
export function programsOf({ sessions }: Pick<ClientView, 'sessions'>): string {
  return listWords([...new Set(sessions.flatMap(({ programs }) => programs))]);
}

/** Text about a client's scope: "may use all servers", "may use github and memory", "may read metrics". */
export function scopeWords(client: Pick<ClientView, 'servers' | 'scopes'>): string {
  const { servers, scopes } = client;
  if (readsMetricsOnly(client)) return 'may read metrics';
  return scopes.includes('metrics') ? `${serversWords(servers)}, and read metrics` : serversWords(servers);
}

/** Connection state of a client: "Connected". A client that only reads metrics has no connection. */
export function presenceWords(client: ClientView): string {
  if (readsMetricsOnly(client)) return 'Reads metrics';
  return isConnected(client) ? 'Connected' : 'Not connected';
}

/** Text such as "cursor was refused 3 times since 10:42: its token was renewed."; undefined if it was not refused. */
export function refusedWords({ name, refused }: ClientView): string | undefined {
  if (!refused) return undefined;
  const times = refused.count === 1 ? 'once' : `${formatCount(refused.count)} times`;
  return `${name} was refused ${times} since ${formatHourMinute(refused.since)}: its token was renewed. Put the new token into its settings.`;
}

function serversWords(servers: readonly string[] | undefined): string {
  return servers === undefined ? 'may use all servers' : `may use ${listWords(servers)}`;
}

/** Text about the capabilities that a client declared. They determine what a server may request from it. */
export function declaredWords({ declares }: ClientUse): string {
  return declares.length === 0 ? 'nothing' : listWords(declares);
}

/** Text about calls in flight: "2 calls, tools/call search for 4 s"; "none" if there are none. */
export function inFlightWords({ inFlight, oldest }: ClientUse): string {
  if (inFlight === 0) return 'none';
  const calls = formatPlural(inFlight, 'call');
  if (oldest === undefined) return calls;
  const { method, target, sinceMs } = oldest;
  const what = target === undefined ? method : `${method} ${target}`;
  return `${calls}, ${what} for ${formatDuration(sinceMs)}`;
}

/** Text about a client's sessions with one server: "2 sessions by claude-code 2.1.0, protocol 2025-11-25, 1 call in flight". */
export function sessionWords(use: ClientUse): string {
  const { count, inFlight, programs, protocols } = use;
  const by = programs.length === 0 ? 'by a program without a name' : `by ${listWords(programs)}`;
  const calls = inFlight === 0 ? '' : `, in flight: ${inFlightWords(use)}`;
  return `${formatPlural(count, 'session')} ${by}, protocol ${listWords(protocols)}${calls}`;
}

/** Text such as "12 calls, 3 failed". */
export function failedWords(calls: number, errors: number): string {
  return calls === 0
    ? 'no call'
    : `${formatPlural(calls, 'call')}, ${errors === 0 ? 'none' : formatCount(errors)} failed`;
}

/** Text that describes the curve of calls per minute to screen readers. */
export function minuteWords(perMinute: readonly number[]): string {
  const total = perMinute.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No call in the last hour';
  return `${formatPlural(total, 'call')} in the last hour, at most ${Math.max(...perMinute)} a minute`;
}

/**
 * Text about who is connected with a client's token, and what ends if the token ends: "It is connected now to github, as cursor
 * 1.0. Its session ends."
 */
export function usedNowWords(client: ClientView): string {
  if (readsMetricsOnly(client)) return '';
  if (!isConnected(client)) return 'No program is connected with it now.';
  const programs = programsOf(client);
  const to = listWords(client.sessions.map(({ server }) => endpointName(server)));
  return `It is connected now to ${to}${programs === '' ? '' : `, as ${programs}`}. ${lossWords(client)}`;
}

/** Text about the consequences if a client's token ends: "Its 2 sessions end, and 1 call in flight is lost." */
export function lossWords(client: ClientView): string {
  if (readsMetricsOnly(client)) return 'It can no longer read the metrics.';
  const count = client.sessions.reduce((sum, use) => sum + use.count, 0);
  if (count === 0) return 'It has no session now.';
  const sessions = count === 1 ? 'Its session ends' : `Its ${formatPlural(count, 'session')} end`;
  const calls = inFlightOf(client);
  if (calls === 0) return `${sessions}.`;
  return `${sessions}, and ${formatPlural(calls, 'call')} in flight ${calls === 1 ? 'is' : 'are'} lost.`;
}
