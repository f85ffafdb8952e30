import type { TokenScope } from './gateway.ts';

// What the page needs at run time stands apart from the schemas of the gateway, because they would come along with it: 80 kB,
// and a library that tries `eval`, which the page's policy forbids.

/** Where what the panel measures is told, in the OpenMetrics format. */
export const METRICS_PATH = '/metrics';

/** Whether a token is for metrics alone, and reaches no server. */
export const readsMetricsOnly = (client: { readonly scopes: readonly TokenScope[] }): boolean =>
  !client.scopes.includes('mcp');

/** The address at which a client reaches a server. */
export const serverAddress = (baseUrl: string, server: string): string =>
  `${baseUrl}/servers/${encodeURIComponent(server)}/mcp`;
