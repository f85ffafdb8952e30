import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** The local endpoint for clients. */
export const gatewayStatusSchema = z.object({
  /** Base address, such as `http://127.0.0.1:7411`; a server's own is below it. */
  url: z.string(),
  /** The one it listens on; without it, the one that is set. */
  port: z.number().int(),
  /** Clients are let in at `url`. With an error as well, it is still at the port of before. */
  isListening: z.boolean(),
  /** It is switched off in the settings. */
  isOff: z.literal(true).optional(),
  /** Clients that may read metrics are told them at `/metrics`. */
  servesMetrics: z.literal(true).optional(),
  /** Why it does not listen; `data.freePort` is one that it could listen on. */
  error: errorReportSchema.optional(),
  /** Why something that stands in clients.json is not in force. */
  clientsProblem: z.string().optional(),
});
export type GatewayStatus = z.infer<typeof gatewayStatusSchema>;

/** What a token may be used for: the protocol, with servers; or reading what the panel measures, and nothing else. */
export const tokenScopes = ['mcp', 'metrics'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What a client can be asked by a server, as far as it is passed on. */
export const declarations = ['sampling', 'elicitation'] as const;

/** A call of a client that waits for its answer. */
const waitingCallSchema = z.object({
  method: z.string(),
  /** The tool's or prompt's name, where the method has one. */
  target: z.string().optional(),
  sinceMs: z.number(),
});

/** The sessions of one client with one server. */
export const clientUseSchema = z.object({
  server: z.string(),
  /** How many sessions it has with it. */
  count: z.number().int(),
  /** Calls that wait for an answer, and the oldest of them. */
  inFlight: z.number().int(),
  oldest: waitingCallSchema.optional(),
  lastSeenAt: epochMs,
  /** What any of the sessions declared. */
  declares: z.array(z.enum(declarations)),
  /** What the programs call themselves: `claude-code 2.1.0`. */
  programs: z.array(z.string()),
  /** Under which its leases stand in `SessionView`. */
  contextIds: z.array(z.string()),
});
export type ClientUse = z.infer<typeof clientUseSchema>;

/** How far back the calls of a client are counted by the minute. */
export const CLIENT_MINUTES = 60;

/** A client that has a token. The token itself is known to the client alone. */
export const clientViewSchema = z.object({
  id: z.string(),
  /** As the person named it. */
  name: z.string(),
  /** The only servers it may use; all without it. */
  servers: z.array(z.string()).optional(),
  scopes: z.array(z.enum(tokenScopes)),
  /** 0 where clients.json does not tell. */
  createdAt: epochMs,
  lastSeenAt: epochMs.optional(),
  /** Requests that were refused since its token was renewed, as its program goes on with the old one. */
  refused: z.object({ count: z.number().int(), since: epochMs }).optional(),
  /** Calls that ended since the panel started, and those of them that failed. */
  calls: z.number().int(),
  errors: z.number().int(),
  /** The servers that it uses now. */
  sessions: z.array(clientUseSchema),
  /** Calls that ended in each minute of the last hour, oldest first; the last one is not over yet. */
  perMinute: z.array(z.number().int()),
});
export type ClientView = z.infer<typeof clientViewSchema>;

/** Why a request was refused before it reached any server. */
export const refusalReasons = [
  'host',
  'origin',
  'path',
  'method',
  'token',
  'scope',
  'content-type',
  'too-large',
  'malformed',
  'slow',
  'rate',
  'busy',
  'unread',
  'connections',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Why a question of a server (for a model, a person, folders) went to no client. */
export const askRefusalReasons = [
  /** No client had a call in flight that it could be about. */
  'nobody',
  /** Another client has called over the same connection before, or the window has. */
  'several',
  /** The one that had did not declare that it can be asked this. */
  'undeclared',
  /** The one that had was gone, or took nothing more. */
  'unreachable',
] as const;
export type AskRefusalReason = (typeof askRefusalReasons)[number];
