import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';
import { serverNameSchema } from './server-config.ts';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** State of the local endpoint for MCP clients. */
export const gatewayStatusSchema = z.object({
  /** Base address, such as `http://127.0.0.1:7411`; the addresses of servers are below it. */
  url: z.string(),
  /** Port in use, or the port from the settings while the gateway is not listening. */
  port: z.number().int(),
  /**
   * True if clients can connect at `url`. If there is also an error, the gateway still listens on the port that it had before a
   * change of the settings.
   */
  isListening: z.boolean(),
  /** Set if the gateway is switched off in the settings. */
  isOff: z.literal(true).optional(),
  /** Set if the gateway serves metrics at `/metrics` to clients that may read them. */
  servesMetrics: z.literal(true).optional(),
  /** Whether the doorkeeper (it keeps the port open while the panel is not running) is ready; if not, `reason` says why. */
  doorkeeper: z.object({ isReady: z.boolean(), reason: z.string().optional() }).optional(),
  /** Reason why the gateway does not listen; its `data.freePort` is a port that is available. */
  error: errorReportSchema.optional(),
  /** Reason why part of clients.json is not in force. */
  clientsProblem: z.string().optional(),
});
export type GatewayStatus = z.infer<typeof gatewayStatusSchema>;

/** Scopes of a token: `mcp` allows the protocol with servers; `metrics` only allows reading metrics. */
export const tokenScopes = ['mcp', 'metrics'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Client capabilities that the gateway forwards to servers. */
export const declarations = ['sampling', 'elicitation'] as const;

/** Call of a client that waits for its response. */
const waitingCallSchema = z.object({
  method: z.string(),
  /** Name of the tool or prompt, if the method has one. */
  target: z.string().optional(),
  sinceMs: z.number(),
});

/** Sessions of one client with one server. */
const clientUseSchema = z.object({
  server: z.string(),
  /** Number of the client's sessions with the server. */
  count: z.number().int(),
  /** Number of calls in flight, and the oldest of them. */
  inFlight: z.number().int(),
  oldest: waitingCallSchema.optional(),
  lastSeenAt: epochMs,
  /** Capabilities that any of the sessions declared. */
  declares: z.array(z.enum(declarations)),
  /** Names that the client programs report: `claude-code 2.1.0`. */
  programs: z.array(z.string()),
  /** Protocol versions of the sessions: `2025-11-25`. */
  protocols: z.array(z.string()),
  /** Ids under which the client's leases (its uses of server sessions) are listed in `SessionView`, as `contextId`. */
  contextIds: z.array(z.string()),
});
export type ClientUse = z.infer<typeof clientUseSchema>;

/** Tools of one server: those hidden from a client, or those that a set of servers shows. */
export const toolsOfServerSchema = z.object({
  server: serverNameSchema,
  tools: z.array(z.string().min(1).max(1000)).max(10_000),
});

/** Set of servers, with some or all of their tools, that clients reach at one address: `<url>/sets/<name>/mcp`. */
export const serverSetSchema = z.object({
  name: serverNameSchema,
  servers: z.array(serverNameSchema).max(1000),
  /** The only tools of a server that the set shows. For a server that is not listed here, the set shows all tools. */
  tools: z.array(toolsOfServerSchema).max(1000).default([]),
});
export type ServerSet = z.infer<typeof serverSetSchema>;

/** What a client sees of one server, and its cost in tokens. */
export const clientToolsSchema = z.object({
  server: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      /** Approximate number of tokens that the definition adds to each request to a model. */
      tokens: z.number().int(),
      isHidden: z.boolean(),
      /** True if the tool differs from what the user accepted. Its changed text is then held back, and its calls are refused. */
      isHeld: z.boolean(),
    }),
  ),
});
export type ClientTools = z.infer<typeof clientToolsSchema>;

/** Client that has a token. Only the client knows the token itself. */
export const clientViewSchema = z.object({
  id: z.string(),
  /** Name given by the user. */
  name: z.string(),
  /** Servers that the client may use; all if undefined. */
  servers: z.array(z.string()).optional(),
  scopes: z.array(z.enum(tokenScopes)),
  /** Time of creation; 0 if clients.json has none. */
  createdAt: epochMs,
  lastSeenAt: epochMs.optional(),
  /** Requests refused since the client's token was renewed, because its program still uses the previous token. */
  refused: z.object({ count: z.number().int(), since: epochMs }).optional(),
  /** Number of calls that ended since the panel started; `errors` is the number of those that failed. */
  calls: z.number().int(),
  errors: z.number().int(),
  /** Servers that the client uses now. */
  sessions: z.array(clientUseSchema),
  /** Calls that ended in each minute of the last hour, oldest first; the last minute is unfinished. */
  perMinute: z.array(z.number().int()),
  /** Number of calls that failed in the last hour. */
  hourErrors: z.number().int(),
});
export type ClientView = z.infer<typeof clientViewSchema>;

/** Reasons why a request is refused before it reaches any server. */
export type RefusalReason =
  | 'host'
  | 'origin'
  | 'path'
  | 'method'
  | 'token'
  | 'scope'
  | 'content-type'
  | 'too-large'
  | 'malformed'
  | 'slow'
  | 'rate'
  | 'busy'
  | 'unread'
  | 'connections';

/** Reasons why a request from a server to its client (sampling, elicitation, roots) is not forwarded to any client. */
export const askRefusalReasons = [
  /** No client had a call in flight to which the request could belong. */
  'nobody',
  /**
   * Another client, or the app window, has already made calls over the same connection, so the request may be meant for either.
   */
  'several',
  /** The client did not declare the capability. */
  'undeclared',
  /** The client had disconnected, or accepted no further messages. */
  'unreachable',
] as const;
export type AskRefusalReason = (typeof askRefusalReasons)[number];
