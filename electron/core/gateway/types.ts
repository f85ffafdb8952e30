import type { TokenScope } from '../../../shared/gateway.ts';

/** The id of a JSON-RPC request as its sender chose it. */
export type MessageId = string | number;

/** A JSON-RPC message that a client sent, its outermost form checked.  */
export interface InboundMessage {
  readonly jsonrpc: '2.0';
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Who a token was given to. */
export interface GatewayClient {
  /** Random, not the token, not secret. */
  readonly id: string;
  /** As the person named it. */
  readonly name: string;
  /** The only servers it may use; all without it. */
  readonly servers?: readonly string[];
  readonly scopes: readonly TokenScope[];
}

/** Names the run of a server of this panel whose connection sends the request. */
export const OWN_RUN_HEADER = 'mcp-control-panel-run';

/** A request that passed the guard: its sender is known, and may use this server. */
export interface AdmittedRequest {
  readonly client: GatewayClient;
  /** As the path names it; there may be no such server. */
  readonly server: string;
  /** Header `Mcp-Session-Id`, as it came. */
  readonly sessionId: string | undefined;
  /** Header `MCP-Protocol-Version`, as it came. */
  readonly protocolVersion: string | undefined;
  /** Header `Mcp-Control-Panel-Run`, as it came. */
  readonly ownRun?: string;
}

/** The one open response to a request of a client. */
export interface GatewayReply {
  /** False once it was ended, or the client is gone. */
  readonly isOpen: boolean;
  /** A header of the response, before anything of it was sent. */
  header(name: string, value: string): void;
  /** Ends it without a message (202, 204), or with a JSON body. */
  status(code: number, body?: object): void;
  /**
   * A message that goes before the answer, or down a stream that has none: the response becomes an event stream. False when
   * the client is gone or too far behind; the message is lost then, which the caller counts.
   */
  stream(message: object): boolean;
  /** Opens the event stream without a message; comments keep it alive from now on. */
  open(): void;
  /** The answer: JSON with its length unless the response has become an event stream. Parts are written as they are. */
  end(message: object | readonly Uint8Array[]): void;
  /** Closes an event stream that has no answer. */
  close(): void;
  /** The client has gone before the end. Returns the undo. */
  onGone(listener: () => void): () => void;
}

/** One era of the protocol over HTTP, behind the guard. */
export interface Edge {
  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void;
  /** GET: a stream for what belongs to no call. */
  listen(request: AdmittedRequest, reply: GatewayReply): void;
  /** DELETE: the session is over. */
  end(request: AdmittedRequest, reply: GatewayReply): void;
}

/** What a client can be asked, as classes that share a connection: the order is fixed, so that equal sets are equal words. */
export type CapabilityClass = 'plain' | 'elicitation' | 'sampling' | 'elicitation+sampling';

/**
 * One client's session with one server. All of it stands in the authenticated session id, so it outlives the process that
 * made it.
 */
export interface SessionFacts {
  /** 128 random bits, base64url. */
  readonly nonce: string;
  readonly clientId: string;
  readonly server: string;
  readonly protocolVersion: string;
  readonly capabilities: CapabilityClass;
  /** When it began, in epoch milliseconds; absent in ids of earlier versions of the panel. */
  readonly issuedAt?: number;
  /** What the client calls itself, cut to 64 characters each. */
  readonly info?: { readonly name: string; readonly version: string };
}

/** The context that the leases of a client's session are listed under. */
export function contextIdOf({ clientId, nonce }: Pick<SessionFacts, 'clientId' | 'nonce'>): string {
  return `gateway:${clientId}:${nonce}`;
}

/** The client as a caller of servers, whichever of its sessions calls. */
export function callerOf({ clientId }: Pick<SessionFacts, 'clientId'>): string {
  return `gateway:${clientId}`;
}
