import { z } from 'zod';
import { eventSchema } from './events.ts';

const epochMs = z.number();
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const eventIdSchema = z.string().max(300);

/**
 * Causes of the end of a run.
 * - `crash`, `stall`, `limit`: the run ended on its own, did not respond, or exceeded a limit. `start`: the start failed.
 * - `request`: a user or client stopped or restarted the server. `configuration`: the server's entry was edited, disabled or
 * removed. `session`: the run was a replica whose session ended.
 * - `panel-quit`, `panel-lost`: the panel quit, or ended without quitting.
 * - `unknown`: no event that was kept shows the cause.
 */
export const endCauses = [
  'crash',
  'stall',
  'limit',
  'start',
  'request',
  'configuration',
  'session',
  'panel-quit',
  'panel-lost',
  'unknown',
] as const;
export type EndCause = (typeof endCauses)[number];

/** Journal event that led to or followed a run's end. Fields that the end contains are omitted, and texts are shortened. */
const chainFactSchema = eventSchema({
  eventId: eventIdSchema,
  at: epochMs,
  role: z.enum(['sign', 'end', 'after']),
});
export type ChainFact = z.infer<typeof chainFactSchema>;

/** Figures of the last sample before the end of a run. A figure that could not be read is undefined. */
export const endFiguresSchema = z.object({
  at: epochMs,
  memoryBytes: z.number().optional(),
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
  processCount: z.number().optional(),
  limits: z.object({
    maxMemoryMiB: z.number(),
    maxCpuPercent: z.number(),
    /** Limit for each process, whereas the figure is the total of all processes. */
    maxOpenFiles: z.number(),
  }),
});
export type EndFigures = z.infer<typeof endFiguresSchema>;

const callAtEndSchema = z.object({
  method: z.string(),
  /** Name of the tool or prompt that was called. */
  target: z.string().optional(),
  ageMs: z.number().optional(),
  /** Kind of the caller; undefined in events of earlier versions. */
  by: z.enum(['client', 'window', 'panel']).optional(),
  client: z.string().optional(),
  /** True if the caller had already given up on the call, so that no result was lost. */
  isGivenUp: z.literal(true).optional(),
});
export type CallAtEnd = z.infer<typeof callAtEndSchema>;

const runEndSchema = z.object({
  /** Id of the run's end, unique among the ends of a server. It begins with the id of the event that reports the end. */
  id: eventIdSchema,
  at: epochMs,
  /** True if the end itself was not observed. In that case, `at` is the latest possible time of the end. */
  isAtLatest: z.literal(true).optional(),
  /** Name of the replica that ended; undefined for the main instance. */
  instance: pastNameSchema.optional(),
  generation: count.optional(),
  /** Time of the run's handshake; undefined if no handshake succeeded, or its event is no longer kept. */
  startedAt: epochMs.optional(),
  uptimeMs: z.number().min(0).optional(),
  /** Version that the server reported. */
  version: z.string().optional(),
  cause: z.enum(endCauses),
  /** Limit that was exceeded; defined only if the cause is `limit`. */
  limit: z.enum(['memory', 'openFiles']).optional(),
  /** Events from the first sign of the end to its outcome, in order. */
  chain: z.array(chainFactSchema),
  figures: endFiguresSchema.optional(),
  /** Calls in flight when the run ended, oldest first, at most 50. */
  calls: z.array(callAtEndSchema),
  /** Number of calls in flight that `calls` omits. */
  callsLeftOut: count,
  /** Last part of stderr, redacted. */
  stderr: z.string().optional(),
});
export type RunEnd = z.infer<typeof runEndSchema>;

/** Counts of a pattern. `count` is the number of ends with the property, and `of` is the number of ends considered. */
const share = {
  count,
  of: count,
  /** Ids of the ends that have the property, at most the newest 500. */
  ends: z.array(eventIdSchema),
};

/**
 * Property that several ends of runs share. The thresholds are in `electron/core/story/patterns.ts`. A fault is a crash, a
 * stall or a breach of a limit.
 */
const patternSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('limit'),
    ...share,
    limit: z.enum(['memory', 'openFiles']),
    /** Shortest and longest run; defined only if all runs were about equally long. */
    every: z.object({ minMs: z.number(), maxMs: z.number() }).optional(),
  }),
  /** Crashes and stalls during calls of this method and target, out of all crashes and stalls. */
  z.object({ kind: z.literal('call'), ...share, method: z.string(), target: z.string().optional() }),
  z.object({ kind: z.literal('after-start'), ...share, withinMs: z.number() }),
  z.object({ kind: z.literal('after-wake'), ...share, withinMs: z.number() }),
  /** Faults of the later of two versions, out of the faults of both versions. */
  z.object({
    kind: z.literal('after-version'),
    ...share,
    from: z.string(),
    to: z.string(),
    upMs: z.number(),
    upBeforeMs: z.number(),
  }),
  /** Ends caused by edits, out of all ends except failed starts. */
  z.object({ kind: z.literal('configuration'), ...share }),
  /** Crashes with the same cause in stderr, out of all crashes. */
  z.object({ kind: z.literal('same-words'), ...share, words: z.string() }),
  /** Crashes with the same exit code or signal, out of all crashes. */
  z.object({
    kind: z.literal('same-exit'),
    ...share,
    exitCode: z.number().optional(),
    signal: z.string().optional(),
  }),
  /** Faults within the same hour of the day, on `days` days. Minutes are counted from midnight in the machine's time zone. */
  z.object({ kind: z.literal('time-of-day'), ...share, days: count, fromMinute: count, toMinute: count }),
]);
export type Pattern = z.infer<typeof patternSchema>;

const MAX_ENDS_PER_PAGE = 100;

export const storyQuerySchema = z.object({
  server: pastNameSchema,
  from: epochMs.min(0),
  to: epochMs.min(0),
  /** Id of an end. Only older ends are returned. */
  before: eventIdSchema.optional(),
  limit: z.number().int().min(1).max(MAX_ENDS_PER_PAGE),
  /** True to omit ends that were requested: stops, restarts by command, edits, and quitting the panel. */
  isTroubleOnly: z.boolean().optional(),
});
export type StoryQuery = z.infer<typeof storyQuerySchema>;

export const restartStorySchema = z.object({
  /** Ends of this page, newest first. */
  ends: z.array(runEndSchema),
  /** Number of ends in the time span `covered`. */
  total: count,
  /** Number of ends in the time span `covered` that no user requested. */
  troubles: count,
  hasMore: z.boolean(),
  /** Patterns of all ends in the time span `covered`, the most significant first. */
  patterns: z.array(patternSchema),
  /** Part of the requested time span whose events are still kept, and were read. */
  covered: z.object({ from: epochMs, to: epochMs }),
});
export type RestartStory = z.infer<typeof restartStorySchema>;
