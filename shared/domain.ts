import { z } from 'zod';
import { approvalSchema } from './approvals.ts';
import { busySchema, overdueSchema, recentCallsSchema } from './call-figures.ts';
import { consentViewSchema } from './consent.ts';
import { errorReportSchema, shortWordsSchema } from './error-report.ts';
import { panelEventSchema } from './events.ts';
import { troubleFields } from './instability.ts';
import { secretStoreSchema } from './secret-store.ts';
import { serverNameSchema } from './server-config.ts';
import { stateKinds } from './server-states.ts';
import { changedToolsViewSchema } from './offered-tools.ts';
import { signInViewSchema } from './sign-in.ts';
import { trendSchema } from './trend.ts';
import { jsonObjectSchema } from './json-object-schema.ts';

export type { EventKind, PanelEvent } from './events.ts';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** Where a server with a command line runs: on this machine, in a container, or in a pod of a cluster. */
const runHostSchema = z.object({
  kind: z.enum(['process', 'container', 'pod']),
  /** Client program of the container's engine (`docker`, `podman`), or the context or address of another engine. */
  engine: z.string().optional(),
  /** Version of another engine; undefined until it has reported it. */
  engineVersion: z.string().optional(),
  /** Full id of the container; undefined until the engine has reported it, and while the server does not run. */
  id: z.string().optional(),
  /** Memory that the engine lets the container use, in bytes; undefined if there is no limit or it is not yet known. */
  memoryLimitBytes: z.number().optional(),
  /** True if the panel has no connection to the container, which continues to run. */
  isOutOfReach: z.boolean().optional(),
  /** Description of the workload (a deployment, for example) of a server that already runs in a cluster. */
  workload: z.string().optional(),
  /** Description of the workload's pods and their state. */
  pods: z.string().optional(),
});
export type RunHost = Readonly<z.infer<typeof runHostSchema>>;

/** What was observed when the panel decided that a server does not respond. */
const silenceSchema = z.object({
  what: z.enum(['no-answer', 'overdue', 'stopped', 'paused']),
  /** How long the server had been silent at that time, in ms. The silence continues until the server's state changes. */
  forMs: z.number(),
  isDuringCall: z.literal(true).optional(),
  /** What the server's processes do during the silence; undefined if they used no CPU. `unseen`: the panel cannot see it. */
  work: z.enum(['computing', 'unseen']).optional(),
});
export type Silence = Readonly<z.infer<typeof silenceSchema>>;

const serverStateSchema = z.object({
  kind: z.enum(stateKinds),
  /** Time at which this state was entered. */
  since: epochMs,
  /** Reason of the state, as text that follows the state's name: "exit code 1", "installing". */
  reason: z.string().optional(),
  /** Reason as data, so that views can shorten or update it. `silence` was measured at `since`. */
  reasonData: shortWordsSchema.extend({ silence: silenceSchema.optional() }).optional(),
  /** Time of the next start, in the state `backoff`, and in `failed` if a slow retry is planned. */
  nextRetryAt: epochMs.optional(),
});
export type ServerStateView = z.infer<typeof serverStateSchema>;

/**
 * Sample of a whole process tree, or one answered health check of a remote server, whose processes are not visible. A figure
 * that could not be read is undefined, never 0.
 */
export const sampleSchema = z.object({
  at: epochMs,
  /** Private memory of all processes in bytes, plus the memory that they share, counted once. */
  memoryBytes: z.number().optional(),
  /**
   * Shared memory included in `memoryBytes`, in bytes. Servers share most of it with each other, so sums over servers count it
   * once. Present only in the latest sample; undefined if the system does not report it separately.
   */
  sharedMemoryBytes: z.number().optional(),
  /** CPU use in percent of one core. Undefined in the first sample of a process, because there is nothing to compare it with. */
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
  /** Round trip of the health check in milliseconds; remote servers only. */
  rttMs: z.number().optional(),
  /** Number of processes; 0 for a remote server. */
  processCount: z.number(),
});
export type Sample = z.infer<typeof sampleSchema>;

const serverViewSchema = z.object({
  name: serverNameSchema,
  transport: z.enum(['stdio', 'http', 'sse']),
  autoStart: z.boolean(),
  /** True if the entry says `disabled: true`. */
  disabled: z.boolean().optional(),
  /** Command and arguments, or URL, for display. Contains neither environment nor headers. */
  target: z.string(),
  /** Set if the entry turns off the check of the server's certificate. */
  isTlsUnverified: z.literal(true).optional(),
  state: serverStateSchema,
  /** Number of starts of the server; 0 if it was never started. */
  generation: z.number().int(),
  pid: z.number().int().optional(),
  /** Where a server with a command line runs; undefined for a remote server. */
  host: runHostSchema.optional(),
  /** Number of automatic starts since the last run that was stable. */
  restartAttempt: z.number().int(),
  maxRestartAttempts: z.number().int(),
  restartsTotal: z.number().int(),
  ...troubleFields,
  /** Lasting rise of the server's memory. */
  trend: trendSchema.optional(),
  /** Time at which the handshake of this run succeeded; undefined while the server is not running. */
  runningSince: epochMs.optional(),
  health: z.enum(['ok', 'unknown', 'paused']).optional(),
  /** Time since which a health check has been unanswered. `health` is then `unknown`, unless the server is computing. */
  unansweredSince: epochMs.optional(),
  /** Set if the panel cannot see the server's work, so that computing is undetectable. Only present with `unansweredSince`. */
  isUnseen: z.literal(true).optional(),
  overdue: overdueSchema.optional(),
  busy: busySchema.optional(),
  /** Calls of all callers within the last minute; undefined if no call has ended. */
  recentCalls: recentCallsSchema.optional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  sample: sampleSchema.optional(),
  /** Present while the server sleeps (has no processes until its next use), with the memory used before, if measured. */
  asleep: z.object({ heldBytes: z.number().optional() }).optional(),
  lastError: errorReportSchema.optional(),
  /** Present until the user agrees to the server's definition in servers.json. */
  consent: consentViewSchema.optional(),
  /** Present while one of the server's tools differs from what the user accepted. */
  changedTools: changedToolsViewSchema.optional(),
  /** Present for a server that requires a sign-in. */
  signIn: signInViewSchema.optional(),
  /** Current limits: memory and CPU of the whole process tree, open files of any single process. */
  limits: z.object({ maxMemoryMiB: z.number(), maxCpuPercent: z.number(), maxOpenFiles: z.number() }),
  /** Number of open sessions; `leases` is the number of their users. Both are undefined if there is no session. */
  sessions: z.number().int().optional(),
  leases: z.number().int().optional(),
});
export type ServerView = z.infer<typeof serverViewSchema>;

export const offerLists = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type OfferList = (typeof offerLists)[number];

/** List of capabilities (tools, for example) that was not loaded, or only in part. */
const offerFailureSchema = z.object({ list: z.enum(offerLists), error: errorReportSchema });
export type OfferFailure = z.infer<typeof offerFailureSchema>;

/** List of capabilities (tools, for example) of which only the first items are kept. */
const offerPartSchema = z.object({
  list: z.enum(offerLists),
  shown: z.number().int(),
  /** Number of items that the server has, or at least has if `isAtLeast` is true. */
  total: z.number().int(),
  /** True if the server has more items than `total`. */
  isAtLeast: z.boolean(),
});
export type OfferPart = z.infer<typeof offerPartSchema>;

/** Capabilities of a server in full; the items are the protocol's own, unchanged. */
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

/**
 * Capabilities in the form in which they are sent to the page. Each text is JSON of the capabilities with a part of the items.
 * Texts are used because a text is transferred in one piece, while each value within an object is copied several times.
 */
export const offerInTextsSchema = offerSchema
  .pick({ failures: true, parts: true })
  .extend({ texts: z.array(z.string()) });
export type OfferInTexts = z.infer<typeof offerInTextsSchema>;

/**
 * Outcome of one call to a server. A large outcome is included only in part. A tool's own error (`isError`) is also an outcome.
 */
export const callOutcomeSchema = z.object({
  result: jsonObjectSchema,
  durationMs: z.number(),
  /**
   * Number of characters and values missing from the result; `isAtLeast` means that even more may be missing. Shortened texts
   * end with a note about the omission.
   */
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

/** Line that a server wrote to stderr. */
export const outputLineSchema = z.object({
  /** Number of the line. Lines of this app run count up from 1; lines of earlier app runs count down from 0. */
  id: z.number().int(),
  at: epochMs,
  generation: z.number().int(),
  text: z.string(),
});
export type OutputLine = z.infer<typeof outputLineSchema>;

const configStatusSchema = z.object({
  path: z.string(),
  /** Error in servers.json on disk. While it is set, the last good configuration is in force instead of the file's content. */
  error: z
    .object({ message: z.string(), line: z.number().optional(), column: z.number().optional() })
    .optional(),
  /** State of the store of secrets; absent if there is none. */
  secretStore: secretStoreSchema.omit({ problem: true }).optional(),
});
export type ConfigStatus = z.infer<typeof configStatusSchema>;

/** Totals of this machine, so that usage can be shown as a share of them. */
const machineSchema = z.object({
  memoryBytes: z.number(),
  /** Number of cores; each is 100 % of CPU. */
  coreCount: z.number().int(),
});
export type Machine = z.infer<typeof machineSchema>;

export const snapshotSchema = z.object({
  /** Sequence number of the last push (message about changes, sent to the page) whose changes this snapshot includes. */
  sequence: z.number().int(),
  appVersion: z.string(),
  electronVersion: z.string(),
  /** False if no user can answer questions. The page then asks none and carries out commands immediately. */
  asksQuestions: z.boolean(),
  /** Undefined until it is measured. */
  machine: machineSchema.optional(),
  config: configStatusSchema,
  servers: z.array(serverViewSchema),
  /** Calls that wait for the user's approval, longest wait first. */
  approvals: z.array(approvalSchema),
  /** The last 500 events, oldest first. */
  events: z.array(panelEventSchema),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Figures of one server. They replace all its figures in the page's view, so one that is missing here is now undefined. */
const serverFiguresSchema = serverViewSchema.pick({
  name: true,
  sample: true,
  busy: true,
  recentCalls: true,
});
export type ServerFigures = z.infer<typeof serverFiguresSchema>;

export const pushSchema = z.object({
  /** Sequence number, one higher than that of the previous push. If a number is missing, the page fetches a snapshot. */
  sequence: z.number().int(),
  /** Changed servers, with all their fields. */
  servers: z.array(serverViewSchema).optional(),
  /** Figures of servers that have no other change. These servers are not among `servers`. */
  samples: z.array(serverFiguresSchema).optional(),
  removed: z.array(z.string()).optional(),
  events: z.array(panelEventSchema).optional(),
  config: configStatusSchema.optional(),
  /** All calls that wait for the user's approval. */
  approvals: z.array(approvalSchema).optional(),
});
export type Push = z.infer<typeof pushSchema>;

/** Maximum number of events in a snapshot. If there are more, the oldest are dropped from memory. */
export const EVENTS_IN_SNAPSHOT = 500;
