import type { TokenScope } from './gateway.ts';

// Values that the page needs at run time, separate from the schemas of the gateway, because those would add 80 kB and a library
// that tries `eval`, which the page's policy forbids.

/** Path of the panel's metrics, in the OpenMetrics format. */
export const METRICS_PATH = '/metrics';

/** Whether a token may only read metrics, and use no server. */
export const readsMetricsOnly = (client: { readonly scopes: readonly TokenScope[] }): boolean =>
  !client.scopes.includes('mcp');

/** Returns the address at which an MCP client reaches a server. */
export const serverAddress = (baseUrl: string, server: string): string =>
  `${baseUrl}/servers/${encodeURIComponent(server)}/mcp`;
