import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { RemoteTransportKind } from './transport-preferences.ts';

export interface SdkTransportOptions {
  readonly kind: RemoteTransportKind;
  readonly url: URL;
  /** Headers sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

export interface SdkTransportHooks {
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onError: (error: Error) => void;
  readonly onClose: () => void;
}

/** Common interface of both HTTP transports of the SDK. A method that a transport lacks does nothing there. */
export interface SdkTransport {
  /** Session id from the server; undefined if the server gave none, and over SSE. */
  readonly sessionId: string | undefined;
  start(hooks: SdkTransportHooks): Promise<void>;
  /** Sends a message. @param onEventId called with the ids of the events in its reply */
  send(message: JSONRPCMessage, onEventId?: (eventId: string) => void): Promise<void>;
  setProtocolVersion(version: string): void;
  /** Tells the server that the session is over, if there is one (HTTP DELETE). */
  endSession(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of the SDK's attempts to resume a stream. */
export const MAX_RESUMPTIONS = 2;
const RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: MAX_RESUMPTIONS,
};

export function createSdkTransport({ kind, url, headers, fetch }: SdkTransportOptions): SdkTransport {
  // Redirects are followed within the origin only, the SDK's default, because headers hold credentials.
  const options = { fetch, requestInit: { headers: { ...headers } } };
  return kind === 'sse' ? older(url, options) : streamable(url, options);
}

type InnerOptions = { readonly fetch: FetchLike; readonly requestInit: RequestInit };

function streamable(url: URL, options: InnerOptions): SdkTransport {
  const inner = new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
  return {
    get sessionId() {
      return inner.sessionId;
    },
    start: (hooks) => start(inner, hooks),
    send: (message, onEventId) => inner.send(message, onEventId && { onresumptiontoken: onEventId }),
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    endSession: () => inner.terminateSession(),
    close: () => inner.close(),
  };
}

function older(url: URL, options: InnerOptions): SdkTransport {
  const inner = new SSEClientTransport(url, options);
  return {
    sessionId: undefined,
    start: (hooks) => start(inner, hooks),
    send: (message) => inner.send(message),
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    endSession: () => Promise.resolve(),
    close: () => inner.close(),
  };
}

function start(
  inner: StreamableHTTPClientTransport | SSEClientTransport,
  { onMessage, onError, onClose }: SdkTransportHooks,
): Promise<void> {
  inner.onmessage = onMessage;
  inner.onerror = onError;
  inner.onclose = onClose;
  return inner.start();
}
