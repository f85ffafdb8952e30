import type { TokenScope } from './gateway.ts';

// Values that the page needs at run time. They are separate from the gateway's schemas, because those would add 80 kB and a
// library that tries `eval`, which the page's policy forbids.

/** Path of the panel's metrics, in the OpenMetrics format. */
export const METRICS_PATH = '/metrics';

/** Number of past minutes for which a client's calls are counted per minute. */
export const CLIENT_MINUTES = 60;

/** True if a token may only read metrics and not use any server. */
export const readsMetricsOnly = (client: { readonly scopes: readonly TokenScope[] }): boolean =>
  !client.scopes.includes('mcp');

/**
 * Used instead of a server's name for an endpoint that combines several servers: `*` for all servers that the client may use,
 * `*name` for a set that the user made. No server has such a name.
 */
export const ALL_SERVERS = '*';
export const isCombined = (server: string): boolean => server.startsWith(ALL_SERVERS);

/** Name of a server, or of an endpoint of several servers, for display. */
export function endpointName(server: string): string {
  if (server === ALL_SERVERS) return 'all servers';
  return isCombined(server) ? `set ${server.slice(ALL_SERVERS.length)}` : server;
}

/** Returns the address at which an MCP client reaches a server, or an endpoint of several servers. */
export function serverAddress(baseUrl: string, server: string): string {
  if (server === ALL_SERVERS) return `${baseUrl}/mcp`;
  const [kind, name] = isCombined(server) ? ['sets', server.slice(ALL_SERVERS.length)] : ['servers', server];
  return `${baseUrl}/${kind}/${encodeURIComponent(name)}/mcp`;
}
