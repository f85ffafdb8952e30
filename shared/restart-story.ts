import { z } from 'zod';
import { eventKinds } from './domain.ts';

const epochMs = z.number();
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const eventIdSchema = z.string().max(300);

/**
 * What ended a run: it crashed, did not respond, was over a limit, never came up; somebody asked for it, its entry was
 * edited, the session that a further process was for had ended; the panel quit, or was lost without quitting. `unknown`
 * where no event that is kept tells it.
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

/** A link of the chain that led to an end, or followed it: an event of the journal. */
const chainFactSchema = z.object({
  eventId: eventIdSchema,
  at: epochMs,
  kind: z.enum(eventKinds),
  role: z.enum(['sign', 'end', 'after']),
  /** The event's own, without what the end tells in fields of its own; texts are cut. */
  detail: z.record(z.string(), z.unknown()),
});
export type ChainFact = z.infer<typeof chainFactSchema>;

/** Figures of the last look before the end. One that could not be read is absent. */
export const endFiguresSchema = z.object({
  at: epochMs,
  memoryBytes: z.number().optional(),
  cpuPercent: z.number().optional(),
  openFiles: z.number().optional(),
  processCount: z.number().optional(),
  limits: z.object({
    maxMemoryMiB: z.number(),
    maxCpuPercent: z.number(),
    /** Of any one process; the figure is of all of them. */
    maxOpenFiles: z.number(),
  }),
});
export type EndFigures = z.infer<typeof endFiguresSchema>;

const callAtEndSchema = z.object({
  method: z.string(),
  /** Name of the tool or prompt. */
  target: z.string().optional(),
  ageMs: z.number().optional(),
  /** Who called; absent in events of earlier versions. */
  by: z.enum(['client', 'window', 'panel']).optional(),
  client: z.string().optional(),
  /** Nobody waited for it any more: it was not lost. */
  isGivenUp: z.literal(true).optional(),
});
export type CallAtEnd = z.infer<typeof callAtEndSchema>;

export const runEndSchema = z.object({
  /** Unique among the ends of a server. It begins with the id of the event that tells the end. */
  id: eventIdSchema,
  at: epochMs,
  /** It had ended by then; when exactly nobody saw. */
  isAtLatest: z.literal(true).optional(),
  /** The further process that it was of; absent for the server's own. */
  instance: pastNameSchema.optional(),
  generation: count.optional(),
  /** When the handshake of the run succeeded; absent where it never did, or nothing of it is kept. */
  startedAt: epochMs.optional(),
  uptimeMs: z.number().min(0).optional(),
  /** The version that the server gave of itself. */
  version: z.string().optional(),
  cause: z.enum(endCauses),
  /** Of cause `limit`. */
  limit: z.enum(['memory', 'openFiles']).optional(),
  /** From the first sign to what came of it, in order. */
  chain: z.array(chainFactSchema),
  figures: endFiguresSchema.optional(),
  /** Calls under way, oldest first, at most 50. */
  calls: z.array(callAtEndSchema),
  /** More calls than are listed. */
  callsLeftOut: count,
  /** The last of stderr, redacted. */
  stderr: z.string().optional(),
});
export type RunEnd = z.infer<typeof runEndSchema>;

/** `count` of `of` show it. */
const share = {
  count,
  of: count,
  /** Ids of the ends that show it, the newest 500. */
  ends: z.array(eventIdSchema),
};

/**
 * What several ends have in common. None is named below the thresholds that `electron/core/story/patterns.ts` states.
 * Faults are crashes, stalls and breaches of limits.
 */
const patternSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('limit'),
    ...share,
    limit: z.enum(['memory', 'openFiles']),
    /** How long the runs took to get there, where they took about as long. */
    every: z.object({ minMs: z.number(), maxMs: z.number() }).optional(),
  }),
  /** Of crashes and stalls: this was being called. */
  z.object({ kind: z.literal('call'), ...share, method: z.string(), target: z.string().optional() }),
  z.object({ kind: z.literal('after-start'), ...share, withinMs: z.number() }),
  z.object({ kind: z.literal('after-wake'), ...share, withinMs: z.number() }),
  /** Of all faults of both versions: those of the later one, which has run for less time. */
  z.object({
    kind: z.literal('after-version'),
    ...share,
    from: z.string(),
    to: z.string(),
    upMs: z.number(),
    upBeforeMs: z.number(),
  }),
  /** Of all ends but failed starts. */
  z.object({ kind: z.literal('configuration'), ...share }),
  /** Of crashes: stderr gave the same cause. */
  z.object({ kind: z.literal('same-words'), ...share, words: z.string() }),
  /** Of crashes: they ended in the same way. */
  z.object({
    kind: z.literal('same-exit'),
    ...share,
    exitCode: z.number().optional(),
    signal: z.string().optional(),
  }),
  /** On as many days, within one hour of the day, in minutes after midnight of the machine's own time. */
  z.object({ kind: z.literal('time-of-day'), ...share, days: count, fromMinute: count, toMinute: count }),
]);
export type Pattern = z.infer<typeof patternSchema>;

const MAX_ENDS_PER_PAGE = 100;

export const storyQuerySchema = z.object({
  server: pastNameSchema,
  from: epochMs.min(0),
  to: epochMs.min(0),
  /** Only ends older than the one with this id: the next page. */
  before: eventIdSchema.optional(),
  limit: z.number().int().min(1).max(MAX_ENDS_PER_PAGE),
  /** Without the ends that somebody wanted: stops, restarts on demand, edits, the quit of the panel. */
  isTroubleOnly: z.boolean().optional(),
});
export type StoryQuery = z.infer<typeof storyQuerySchema>;

export const restartStorySchema = z.object({
  /** Newest first. */
  ends: z.array(runEndSchema),
  /** Ends in the whole of what is covered. */
  total: count,
  /** Those of them that nobody wanted. */
  troubles: count,
  hasMore: z.boolean(),
  /** Of all ends that are covered, the most telling first. */
  patterns: z.array(patternSchema),
  /** The part of the span of which events are kept and were read. */
  covered: z.object({ from: epochMs, to: epochMs }),
});
export type RestartStory = z.infer<typeof restartStorySchema>;
