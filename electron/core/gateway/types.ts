import type { TokenScope } from '../../../shared/gateway.ts';

/** Id of a JSON-RPC request as its sender chose it. */
export type MessageId = string | number;

/** A JSON-RPC message of a client. Only its top-level fields were checked. */
export interface InboundMessage {
  readonly jsonrpc: '2.0';
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The client that a token was issued to. */
export interface GatewayClient {
  /** Random id, which is neither the token nor secret. */
  readonly id: string;
  /** Name that the user chose. */
  readonly name: string;
  /** The only servers that the client may use; undefined allows all. */
  readonly servers?: readonly string[];
  readonly scopes: readonly TokenScope[];
}

/** Header of the panel's requests to a remote server. It identifies the server in requests that it forwards to the panel. */
export const OWN_RUN_HEADER = 'mcp-control-panel-run';

/** A request that passed the guard, which checks the token: the client is known and may use this server. */
export interface AdmittedRequest {
  readonly client: GatewayClient;
  /** Server name in the path, or name of an endpoint that combines several servers. There may be no such server or endpoint. */
  readonly server: string;
  /** Header `Mcp-Session-Id` as received. */
  readonly sessionId: string | undefined;
  /** Header `MCP-Protocol-Version` as received. */
  readonly protocolVersion: string | undefined;
  /** Header `Mcp-Control-Panel-Run` as received. */
  readonly ownRun?: string;
}

/** The one open response to a request of a client. */
export interface GatewayReply {
  /** False once the response has ended or the client is gone. */
  readonly isOpen: boolean;
  /** Bytes of the request body, and bytes of the response so far; undefined if they are not counted. */
  readonly bytes?: { readonly in: number; readonly out: number } | undefined;
  /** Sets a header. Call it before any part of the response was sent. */
  header(name: string, value: string): void;
  /** Ends the response without a message (202, 204), or with a JSON body. */
  status(code: number, body?: object): void;
  /**
   * Sends a message before the answer, or on a stream that has no answer. The response becomes an event stream. Returns false
   * if the client is gone or too slow; then the message is lost, and the caller counts it.
   */
  stream(message: object): boolean;
  /** Opens the event stream without sending a message. From then on, SSE comments keep it alive. */
  open(): void;
  /**
   * Sends the answer: as JSON with its length, or as an event if the response has become an event stream. Parts are written
   * unchanged.
   * @param onWritten called when the system has taken all parts and no longer reads from them; never if the client left before
   */
  end(message: object | readonly Uint8Array[], onWritten?: () => void): void;
  /** Closes an event stream that has no answer. */
  close(): void;
  /** Calls the listener if the client disconnects before the reply is complete. Returns the unsubscribe function. */
  onGone(listener: () => void): () => void;
}

/** Handles HTTP requests of one range of protocol revisions, after the guard has checked their tokens. */
export interface Edge {
  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void;
  /** Handles GET: opens a stream for messages that belong to no call. */
  listen(request: AdmittedRequest, reply: GatewayReply): void;
  /** DELETE: ends the session. */
  end(request: AdmittedRequest, reply: GatewayReply): void;
}

/**
 * Classes of client capabilities; clients of the same class can share a connection. Combined capabilities are named in a fixed
 * order, so that equal sets give equal strings.
 */
export const capabilityClasses = ['plain', 'elicitation', 'sampling', 'elicitation+sampling'] as const;
export type CapabilityClass = (typeof capabilityClasses)[number];

/** One client's session with one server. Its authenticated id holds its facts, so a session outlives the panel that made it. */
export interface SessionFacts {
  /** 128 random bits, base64url. */
  readonly nonce: string;
  readonly clientId: string;
  readonly server: string;
  readonly protocolVersion: string;
  readonly capabilities: CapabilityClass;
  /** Epoch milliseconds of the session's start; missing in ids of earlier versions of the panel. */
  readonly issuedAt?: number;
  /** Name and version as stated by the client, cut to 64 characters each. */
  readonly info?: { readonly name: string; readonly version: string };
}

/** Returns the context id under which the leases of a client's session are listed. */
export function contextIdOf({ clientId, nonce }: Pick<SessionFacts, 'clientId' | 'nonce'>): string {
  return `gateway:${clientId}:${nonce}`;
}
