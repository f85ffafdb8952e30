import { z } from 'zod';
import { busySchema, overdueSchema, recentCallsSchema } from './call-figures.ts';
import { errorReportSchema, shortWordsSchema } from './error-report.ts';
import { panelEventSchema } from './events.ts';
import { troubleFields } from './instability.ts';
import { serverNameSchema } from './server-config.ts';
import { stateKinds } from './server-states.ts';
import { silenceSchema } from './silence-schema.ts';
import { jsonObjectSchema } from './json-object-schema.ts';

export type { EventKind, PanelEvent } from './events.ts';

/** Milliseconds since 1970. */
const epochMs = z.number();

export const serverStateSchema = z.object({
  kind: z.enum(stateKinds),
  /** When this state was entered. */
  since: epochMs,
  /** Why, in words that can stand behind the state word: "exit code 1", "installing". */
  reason: z.string().optional(),
  /** The reason for programs that say it in their own way: in less room, or as of now. `silence` is as of `since`. */
  reasonData: shortWordsSchema.extend({ silence: silenceSchema.optional() }).optional(),
  /** In `backoff` (and `failed`, when a slow retry is planned): when the next start is due. */
  nextRetryAt: epochMs.optional(),
});
export type ServerStateView = z.infer<typeof serverStateSchema>;

/**
 * One look at a whole process tree, or one answered probe of a remote server, whose processes nobody sees. A figure that
 * could not be read is absent, never 0.
 */
export const sampleSchema = z.object({
  at: epochMs,
  /** Private memory of all processes plus shared memory once. */
  memoryBytes: z.number().optional(),
  /**
   * The shared memory within that, of which servers in turn share the most with each other: what adds up several counts it
   * once. Of the latest sample only; absent where a system does not tell it apart.
   */
  sharedMemoryBytes: z.number().optional(),
  /** 100 is one core. Absent in the first sample of a process, which has nothing to compare with. */
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
  /** Remote servers only: round trip of the probe, in milliseconds. */
  rttMs: z.number().optional(),
  /** 0 for a remote server. */
  processCount: z.number(),
});
export type Sample = z.infer<typeof sampleSchema>;

export const serverViewSchema = z.object({
  name: serverNameSchema,
  transport: z.enum(['stdio', 'http', 'sse']),
  autoStart: z.boolean(),
  /** The entry says `disabled: true`. */
  disabled: z.boolean().optional(),
  /** What is run or reached, for people: command and arguments, or the URL. No environment, no headers. */
  target: z.string(),
  /** Its certificate is not checked, because its entry says so. */
  isTlsUnverified: z.literal(true).optional(),
  state: serverStateSchema,
  /** 0: never started; then one more per start. */
  generation: z.number().int(),
  pid: z.number().int().optional(),
  /** Automatic starts since the last stable run. */
  restartAttempt: z.number().int(),
  maxRestartAttempts: z.number().int(),
  restartsTotal: z.number().int(),
  ...troubleFields,
  /** When the handshake of this run succeeded. Absent when there is no run. */
  runningSince: epochMs.optional(),
  health: z.enum(['ok', 'unknown', 'paused']).optional(),
  /** It owes the answer to a check since then. Its health is unknown for that, unless it is computing. */
  unansweredSince: epochMs.optional(),
  /** Its work is done where the panel cannot see it, so that nobody knows whether it computes. Only beside `unansweredSince`. */
  isUnseen: z.literal(true).optional(),
  overdue: overdueSchema.optional(),
  busy: busySchema.optional(),
  /** What was asked of it within the last minute, by whoever; absent when no call has ended. */
  recentCalls: recentCallsSchema.optional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  sample: sampleSchema.optional(),
  lastError: errorReportSchema.optional(),
  /** The limits in force now: memory and CPU of the whole tree, open files of any one process. */
  limits: z.object({ maxMemoryMiB: z.number(), maxCpuPercent: z.number(), maxOpenFiles: z.number() }),
  /** Open sessions, and who is listed as their users. Absent when there is none. */
  sessions: z.number().int().optional(),
  leases: z.number().int().optional(),
});
export type ServerView = z.infer<typeof serverViewSchema>;

/** Who uses a session, and how. */
const leaseViewSchema = z.object({
  contextId: z.string(),
  since: epochMs,
  callsInFlight: z.number().int(),
  lastUseAt: epochMs.optional(),
});

/** One initialised connection as its users share it, or have it for themselves. */
export const sessionViewSchema = z.object({
  generation: z.number().int(),
  mode: z.enum(['shared', 'exclusive']),
  /** The instance that serves it: the server's name, or `<name>#2` and so on for a further process. */
  instance: z.string(),
  pid: z.number().int().optional(),
  openedAt: epochMs,
  leases: z.array(leaseViewSchema),
  /** When nobody uses it: since when, and when it will be closed. */
  idleSince: epochMs.optional(),
  evictsAt: epochMs.optional(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** How a server is shared between its users, and why. */
export const sharingViewSchema = z.object({
  mode: z.enum(['shared', 'exclusive']),
  /** What the configuration says. */
  setting: z.enum(['auto', 'shared', 'exclusive']),
  reason: z.enum(['setting', 'catalogue', 'learnt', 'default']),
  words: z.string(),
  asksClients: z.boolean().optional(),
  /** It answers one call at a time, so that calls wait for each other. */
  answersInTurn: z.boolean().optional(),
  /** Clients that waited for each other there today, and for how long in all; `since` the panel started where that is later. */
  waits: z.object({ clients: z.number().int(), totalMs: z.number(), since: epochMs }).optional(),
  /** The first two clients that used it, where nothing is known for or against sharing it, and tools that speak against. */
  secondClient: z
    .object({ first: z.string(), second: z.string(), stateTools: z.array(z.string()).optional() })
    .optional(),
});
export type SharingView = z.infer<typeof sharingViewSchema>;

export const sessionsViewSchema = z.object({
  sharing: sharingViewSchema,
  sessions: z.array(sessionViewSchema),
  /** Contexts whose processes another one got lately, as they made no calls; the latest first. */
  givenUp: z.array(z.object({ contextId: z.string(), at: epochMs, idleMs: z.number() })).optional(),
});
export type SessionsView = z.infer<typeof sessionsViewSchema>;

export const offerLists = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type OfferList = (typeof offerLists)[number];

/** A list that did not come, or not to its end. */
const offerFailureSchema = z.object({ list: z.enum(offerLists), error: errorReportSchema });
export type OfferFailure = z.infer<typeof offerFailureSchema>;

/** A list of which only a part is kept. */
const offerPartSchema = z.object({
  list: z.enum(offerLists),
  shown: z.number().int(),
  /** How many the server has told of. */
  total: z.number().int(),
  /** It has more than that. */
  isAtLeast: z.boolean(),
});
export type OfferPart = z.infer<typeof offerPartSchema>;

/** What a server says it offers; the items are the protocol's own, unchanged. */
export const offerSchema = z.object({
  tools: z.array(z.looseObject({ name: z.string() })),
  prompts: z.array(z.looseObject({ name: z.string() })),
  resources: z.array(z.looseObject({ uri: z.string() })),
  resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string() })),
  failures: z.array(offerFailureSchema).optional(),
  /** Lists of which only the first items are kept: at most 5000 of each, and 8 Mi characters in all. */
  parts: z.array(offerPartSchema).optional(),
});
export type Offer = z.infer<typeof offerSchema>;

/** The outcome of one call to a server, of a large one a part. A tool's own error (`isError`) is an outcome, too. */
export const callOutcomeSchema = z.object({
  result: jsonObjectSchema,
  durationMs: z.number(),
  /** What is missing in the result, or more than that. Texts that are cut end with what they lack. */
  leftOut: z.object({ characters: z.number(), values: z.number(), isAtLeast: z.boolean() }).optional(),
});
export type CallOutcome = z.infer<typeof callOutcomeSchema>;

export const callProgressSchema = z.object({
  callId: z.string(),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;

/** One line that a server wrote to stderr. */
export const outputLineSchema = z.object({
  /** Counts the lines of this server, from 1 in this launch; backwards from 0 in what earlier ones left. */
  id: z.number().int(),
  at: epochMs,
  generation: z.number().int(),
  text: z.string(),
});
export type OutputLine = z.infer<typeof outputLineSchema>;

export const configStatusSchema = z.object({
  path: z.string(),
  /** Why the file on disk is not in force; the last good configuration is. */
  error: z
    .object({ message: z.string(), line: z.number().optional(), column: z.number().optional() })
    .optional(),
});
export type ConfigStatus = z.infer<typeof configStatusSchema>;

/** What this machine has for all programs, to show a use as a share of it. */
const machineSchema = z.object({
  memoryBytes: z.number(),
  /** Cores, of which each is 100 % of CPU. */
  coreCount: z.number().int(),
});
export type Machine = z.infer<typeof machineSchema>;

export const snapshotSchema = z.object({
  /** The sequence of the last push that this snapshot already holds. */
  sequence: z.number().int(),
  appVersion: z.string(),
  electronVersion: z.string(),
  /** False where nobody is there to answer: the page then asks no questions and does what it was told. */
  asksQuestions: z.boolean(),
  /** Absent where nobody has looked. */
  machine: machineSchema.optional(),
  config: configStatusSchema,
  servers: z.array(serverViewSchema),
  /** Oldest first, the last 500. */
  events: z.array(panelEventSchema),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** The figures of a server, in place of all those that its entry has: one that is absent here is absent now. */
const serverFiguresSchema = serverViewSchema.pick({
  name: true,
  sample: true,
  busy: true,
  recentCalls: true,
});
export type ServerFigures = z.infer<typeof serverFiguresSchema>;

export const pushSchema = z.object({
  /** One more than the push before it; a gap means: fetch a snapshot. */
  sequence: z.number().int(),
  /** Changed servers, whole. */
  servers: z.array(serverViewSchema).optional(),
  /** Figures of the servers that changed in nothing else; those are not among `servers`. */
  samples: z.array(serverFiguresSchema).optional(),
  removed: z.array(z.string()).optional(),
  events: z.array(panelEventSchema).optional(),
  config: configStatusSchema.optional(),
});
export type Push = z.infer<typeof pushSchema>;

/** How many events a snapshot carries; older ones are dropped from memory first. */
export const EVENTS_IN_SNAPSHOT = 500;
