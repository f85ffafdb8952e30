import { z } from 'zod';
import { eventSchema } from './events.ts';

const epochMs = z.number();
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const eventIdSchema = z.string().max(300);

/**
 * Causes of the end of a run.
 * - `crash`, `stall`, `limit`: the run ended by itself, did not respond, or exceeded a limit. `start`: it never came up.
 * - `request`: a user or client stopped or restarted the server. `configuration`: the server's entry was edited, disabled or
 * removed. `session`: the run was a replica whose session ended.
 * - `panel-quit`, `panel-lost`: the panel quit, or ended without quitting.
 * - `unknown`: no kept event has the cause.
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

/**
 * Event of the journal that led to an end, or followed it. Its detail omits fields that the end itself has, and its texts are
 * cut.
 */
const chainFactSchema = eventSchema({
  eventId: eventIdSchema,
  at: epochMs,
  role: z.enum(['sign', 'end', 'after']),
});
export type ChainFact = z.infer<typeof chainFactSchema>;

/** Figures of the last sample before the end. A figure that could not be read is undefined. */
export const endFiguresSchema = z.object({
  at: epochMs,
  memoryBytes: z.number().optional(),
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
  processCount: z.number().optional(),
  limits: z.object({
    maxMemoryMiB: z.number(),
    maxCpuPercent: z.number(),
    /** Limit per process, while the figure is the total of all processes. */
    maxOpenFiles: z.number(),
  }),
});
export type EndFigures = z.infer<typeof endFiguresSchema>;

const callAtEndSchema = z.object({
  method: z.string(),
  /** Name of the tool or prompt. */
  target: z.string().optional(),
  ageMs: z.number().optional(),
  /** Kind of the caller; undefined in events of earlier versions. */
  by: z.enum(['client', 'window', 'panel']).optional(),
  client: z.string().optional(),
  /** Whether the caller had given up the call, so that its result was not lost. */
  isGivenUp: z.literal(true).optional(),
});
export type CallAtEnd = z.infer<typeof callAtEndSchema>;

const runEndSchema = z.object({
  /** Id of the end, unique among the ends of a server. It begins with the id of the event that reports the end. */
  id: eventIdSchema,
  at: epochMs,
  /** Whether the end itself was not observed, so that `at` is only the latest possible time. */
  isAtLatest: z.literal(true).optional(),
  /** Name of the replica; undefined for the server's own process. */
  instance: pastNameSchema.optional(),
  generation: count.optional(),
  /** Time of the run's handshake; undefined if it never succeeded, or no event of it is kept. */
  startedAt: epochMs.optional(),
  uptimeMs: z.number().min(0).optional(),
  /** Version that the server reported. */
  version: z.string().optional(),
  cause: z.enum(endCauses),
  /** Limit that was exceeded, if the cause is `limit`. */
  limit: z.enum(['memory', 'openFiles']).optional(),
  /** Events from the first sign of the end to its outcome, in order. */
  chain: z.array(chainFactSchema),
  figures: endFiguresSchema.optional(),
  /** Calls in flight, oldest first, at most 50. */
  calls: z.array(callAtEndSchema),
  /** Number of calls that are not listed. */
  callsLeftOut: count,
  /** End of stderr, redacted. */
  stderr: z.string().optional(),
});
export type RunEnd = z.infer<typeof runEndSchema>;

/** Counts of a pattern: `count` of `of` ends have the property. */
const share = {
  count,
  of: count,
  /** Ids of the ends that have the property, the newest 500. */
  ends: z.array(eventIdSchema),
};

/**
 * Property that several ends share. `electron/core/story/patterns.ts` has the thresholds. Faults are crashes, stalls and
 * breaches of limits.
 */
const patternSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('limit'),
    ...share,
    limit: z.enum(['memory', 'openFiles']),
    /** Range of the runs' lengths, if all are about equal. */
    every: z.object({ minMs: z.number(), maxMs: z.number() }).optional(),
  }),
  /** Crashes and stalls during calls of this method and target, of all crashes and stalls. */
  z.object({ kind: z.literal('call'), ...share, method: z.string(), target: z.string().optional() }),
  z.object({ kind: z.literal('after-start'), ...share, withinMs: z.number() }),
  z.object({ kind: z.literal('after-wake'), ...share, withinMs: z.number() }),
  /** Faults of the later of two versions, of the faults of both versions. */
  z.object({
    kind: z.literal('after-version'),
    ...share,
    from: z.string(),
    to: z.string(),
    upMs: z.number(),
    upBeforeMs: z.number(),
  }),
  /** Ends caused by edits, of all ends except failed starts. */
  z.object({ kind: z.literal('configuration'), ...share }),
  /** Crashes with the same cause in stderr, of all crashes. */
  z.object({ kind: z.literal('same-words'), ...share, words: z.string() }),
  /** Crashes that ended in the same way, of all crashes. */
  z.object({
    kind: z.literal('same-exit'),
    ...share,
    exitCode: z.number().optional(),
    signal: z.string().optional(),
  }),
  /** Faults within one hour of the day, on `days` days. Minutes count from midnight in the machine's time zone. */
  z.object({ kind: z.literal('time-of-day'), ...share, days: count, fromMinute: count, toMinute: count }),
]);
export type Pattern = z.infer<typeof patternSchema>;

const MAX_ENDS_PER_PAGE = 100;

export const storyQuerySchema = z.object({
  server: pastNameSchema,
  from: epochMs.min(0),
  to: epochMs.min(0),
  /** Id of an end: only ends older than it are returned. */
  before: eventIdSchema.optional(),
  limit: z.number().int().min(1).max(MAX_ENDS_PER_PAGE),
  /** Whether requested ends are left out: stops, restarts by command, edits, the quit of the panel. */
  isTroubleOnly: z.boolean().optional(),
});
export type StoryQuery = z.infer<typeof storyQuerySchema>;

export const restartStorySchema = z.object({
  /** Ends of this page, newest first. */
  ends: z.array(runEndSchema),
  /** Number of ends in the covered span. */
  total: count,
  /** Number of ends that no user requested. */
  troubles: count,
  hasMore: z.boolean(),
  /** Patterns of all ends in the covered span, the most significant first. */
  patterns: z.array(patternSchema),
  /** Part of the span whose events are kept and were read. */
  covered: z.object({ from: epochMs, to: epochMs }),
});
export type RestartStory = z.infer<typeof restartStorySchema>;
