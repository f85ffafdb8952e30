import { CLIENT_MINUTES, declarations, type ClientUse, type ClientView } from '../../../shared/gateway.ts';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { RegisteredClient } from '../gateway/auth/client-registry.ts';
import type { ClientSessionView } from '../gateway/session/options.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

/** Call figures of one MCP client. */
interface ClientFigures {
  readonly calls: number;
  readonly errors: number;
  /** Minutes with calls within the last hour. */
  readonly minutes: readonly Pick<CallMinute, 'at' | 'calls' | 'errors'>[];
}

/**
 * Returns the view of an MCP client for the app window. @param sessions sessions of every client @param now epoch milliseconds
 */
export function clientView(
  client: RegisteredClient,
  sessions: readonly ClientSessionView[],
  { calls, errors, minutes }: ClientFigures,
  now: number,
): ClientView {
  const { id, name, scopes, servers, createdAt = 0, lastSeenAt, refused } = client;
  return {
    id,
    name,
    ...(servers && { servers: [...servers] }),
    scopes: [...scopes],
    createdAt,
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    ...(refused && { refused }),
    calls,
    errors,
    sessions: usesOf(sessions.filter(({ clientId }) => clientId === id)),
    perMinute: perMinute(minutes, now, 'calls'),
    hourErrors: perMinute(minutes, now, 'errors').reduce((sum, count) => sum + count, 0),
  };
}

/** Returns the number of calls, or of errors, in each minute of the last hour, oldest first; the minute of `now` is last. */
function perMinute(minutes: ClientFigures['minutes'], now: number, figure: 'calls' | 'errors'): number[] {
  const last = Math.floor(now / MINUTE_MS);
  const counts = Array.from({ length: CLIENT_MINUTES }, () => 0);
  for (const { at, [figure]: count } of minutes) {
    const index = CLIENT_MINUTES - 1 - (last - Math.floor(at / MINUTE_MS));
    if (counts[index] !== undefined) counts[index] += count;
  }
  return counts;
}

/** Sessions of one client, one item for each server, in the order of the servers' names. */
function usesOf(sessions: readonly ClientSessionView[]): ClientUse[] {
  const servers = [...new Set(sessions.map(({ server }) => server))].sort();
  return servers.map((server) =>
    useOf(
      server,
      sessions.filter((session) => session.server === server),
    ),
  );
}

function useOf(server: string, sessions: readonly ClientSessionView[]): ClientUse {
  const waiting = sessions.flatMap(({ inFlight }) => inFlight);
  const oldest = waiting.toSorted((one, other) => other.sinceMs - one.sinceMs)[0];
  const programs = sessions.flatMap(({ info }) => (info ? [`${info.name} ${info.version}`.trim()] : []));
  return {
    server,
    count: sessions.length,
    inFlight: waiting.length,
    ...(oldest && { oldest: { ...oldest } }),
    lastSeenAt: Math.max(...sessions.map(({ lastSeenAt }) => lastSeenAt)),
    declares: declarations.filter((one) =>
      sessions.some(({ capabilities }) => capabilities.split('+').includes(one)),
    ),
    programs: [...new Set(programs)],
    protocols: [...new Set(sessions.map(({ protocolVersion }) => protocolVersion))].sort(),
    contextIds: sessions.map(({ contextId }) => contextId),
  };
}
