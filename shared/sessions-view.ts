import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** User of a session, and how the user uses it. */
const leaseViewSchema = z.object({
  contextId: z.string(),
  since: epochMs,
  callsInFlight: z.number().int(),
  lastUseAt: epochMs.optional(),
});

/** Initialized connection to a server, either shared by its users or exclusive to one user. */
const sessionViewSchema = z.object({
  generation: z.number().int(),
  mode: z.enum(['shared', 'exclusive']),
  /** Instance that serves the session: the server's name for the main instance, or `<name>#2` and so on for a replica. */
  instance: z.string(),
  pid: z.number().int().optional(),
  openedAt: epochMs,
  leases: z.array(leaseViewSchema),
  /** Time since which the session has had no users; `evictsAt` is the time at which it will be closed. */
  idleSince: epochMs.optional(),
  evictsAt: epochMs.optional(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** How a server is shared between its users, and the reason. */
const sharingViewSchema = z.object({
  mode: z.enum(['shared', 'exclusive']),
  /** Configured sharing mode. */
  setting: z.enum(['auto', 'shared', 'exclusive']),
  reason: z.enum(['setting', 'catalogue', 'learnt', 'default']),
  words: z.string(),
  asksClients: z.boolean().optional(),
  /** True if the server answers one call at a time, so that calls wait for each other. */
  answersInTurn: z.boolean().optional(),
  /**
   * Number of MCP clients that waited for each other today, and the sum of their waiting times. `since` is the start of today,
   * or of the panel if that is later.
   */
  waits: z.object({ clients: z.number().int(), totalMs: z.number(), since: epochMs }).optional(),
  /**
   * First two MCP clients that used the server, and the tools of the server that suggest it should not be shared. Defined only
   * if nothing else is known for or against sharing.
   */
  secondClient: z
    .object({ first: z.string(), second: z.string(), stateTools: z.array(z.string()).optional() })
    .optional(),
});
export type SharingView = z.infer<typeof sharingViewSchema>;

export const sessionsViewSchema = z.object({
  sharing: sharingViewSchema,
  sessions: z.array(sessionViewSchema),
  /** Contexts whose replicas were recently given to another context, because they made no calls. The latest comes first. */
  givenUp: z.array(z.object({ contextId: z.string(), at: epochMs, idleMs: z.number() })).optional(),
});
export type SessionsView = z.infer<typeof sessionsViewSchema>;
