import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RemoteTransportKind } from './transport-preferences.ts';

export interface SdkTransportOptions {
  readonly kind: RemoteTransportKind;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

/** One of the SDK's HTTP transports. The SSE transport has no session to end and accepts no options for a message. */
export interface SdkTransport extends Omit<Transport, 'sessionId'> {
  readonly sessionId?: string | undefined;
  terminateSession?(): Promise<void>;
}

export const MAX_RESUMPTIONS = 2;
const RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: MAX_RESUMPTIONS,
};

export function createSdkTransport({ kind, url, headers, fetch }: SdkTransportOptions): SdkTransport {
  // The SDK's default applies: redirects are followed only within the origin, because the headers hold credentials.
  const options = { fetch, requestInit: { headers: { ...headers } } };
  return kind === 'sse'
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
}
