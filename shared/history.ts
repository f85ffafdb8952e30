import { z } from 'zod';
import { eventKinds, panelEventSchema } from './events.ts';

/** Milliseconds since 1970. */
const epochMs = z.number().min(0);
const count = z.number().int().min(0);
/** Names of servers as they were; one that is no longer configured has its past all the same. */
const pastNameSchema = z.string().max(200);

/** What is kept of a server over time; the same names and units as in a sample. */
export const historyMetrics = ['memoryBytes', 'cpuPercent', 'openFiles', 'processCount', 'rttMs'] as const;
export type HistoryMetric = (typeof historyMetrics)[number];

export const MAX_SERIES_BUCKETS = 2000;
const MAX_SERVERS = 1000;

/** A span of time: `from` belongs to it, `to` does not. */
const spanSchema = z.object({ from: epochMs, to: epochMs });
export type Span = z.infer<typeof spanSchema>;

export const seriesQuerySchema = spanSchema.extend({
  servers: z.array(pastNameSchema).max(MAX_SERVERS),
  /** Whether to answer of others as well that have any figure within the span: servers that were removed since. */
  withOthers: z.boolean().optional(),
  metrics: z.array(z.enum(historyMetrics)).min(1).max(historyMetrics.length),
  /** No more buckets than these over the whole span. */
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
  /** Whether to answer with what the whole span came to as well. */
  withTotals: z.boolean().optional(),
});
export type SeriesQuery = z.infer<typeof seriesQuerySchema>;

/**
 * One figure of one server over the span. The four lists are equally long; a bucket without any sample is left out, so that
 * a gap of the data is a gap of the curve. `avg` weighs each sample the same.
 */
export const seriesSchema = z.object({
  server: pastNameSchema,
  metric: z.enum(historyMetrics),
  /** Number of the bucket, ascending: it covers `from + index * stepMs` up to `stepMs` later. */
  index: z.array(count),
  min: z.array(z.number()),
  avg: z.array(z.number()),
  max: z.array(z.number()),
});
export type Series = z.infer<typeof seriesSchema>;

/**
 * What one figure came to over the whole span that was asked for. It does not depend on the number of buckets, so that each
 * view of the span tells the same.
 */
export const spanTotalSchema = z.object({
  /** Null for all servers of the answer together. */
  server: pastNameSchema.nullable(),
  metric: z.enum(historyMetrics),
  /** Over the time in which the panel ran, of which a server that was down used nothing. Those of the servers add up to that of all. */
  average: z.number(),
  /** Over the time in which the server ran; absent for all together. */
  whileRunning: z.number().optional(),
  /** The highest sample; of all together the highest one with what the others used on average at that time. */
  peak: z.number(),
});
export type SpanTotal = z.infer<typeof spanTotalSchema>;

/** Limits of a server as they were in force from then on. */
export const limitsInForceSchema = z.object({
  server: pastNameSchema,
  from: epochMs,
  maxMemoryMiB: z.number(),
  maxCpuPercent: z.number(),
  maxOpenFiles: z.number(),
});
export type LimitsInForce = z.infer<typeof limitsInForceSchema>;

export const seriesReplySchema = spanSchema.extend({
  /** Length of a bucket; never shorter than what is kept of that time. */
  stepMs: z.number().min(1),
  /** What the buckets were made of: single samples, minutes, or quarters of an hour. */
  resolution: z.enum(['sample', 'minute', 'quarter-hour']),
  series: z.array(seriesSchema),
  /** When no panel was running, from the first run on that the history knows of. */
  absences: z.array(spanSchema),
  /** Those in force at `from` first, then each change; oldest first for each server. */
  limits: z.array(limitsInForceSchema),
  /** Where they were asked for, of each series that has any figure, and of all together. */
  totals: z.array(spanTotalSchema).optional(),
});
export type SeriesReply = z.infer<typeof seriesReplySchema>;

export const callSeriesQuerySchema = spanSchema.extend({
  /** All where it is left out. */
  server: pastNameSchema.optional(),
  /** Calls as this client saw them, by its id; all calls as the connections to the servers did where it is left out. */
  client: z.string().max(200).optional(),
  /** Servers of each of which the buckets are told by themselves as well. */
  eachOf: z.array(pastNameSchema).max(MAX_SERVERS).optional(),
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
});
export type CallSeriesQuery = z.infer<typeof callSeriesQuerySchema>;

const callBucketSchema = z.object({
  index: count,
  calls: count,
  errors: count,
  /** Of calls that say how long the server takes; absent where there were none. */
  averageMs: z.number().min(0).optional(),
  maxMs: z.number().min(0).optional(),
  /** Of a bucket of one minute within the last hour of this launch. */
  p50Ms: z.number().min(0).optional(),
  p95Ms: z.number().min(0).optional(),
});
export type CallBucket = z.infer<typeof callBucketSchema>;

export const callSeriesReplySchema = spanSchema.extend({
  stepMs: z.number().min(1),
  /** The minute of the span with the most calls, or its busiest quarter of an hour where no minutes are kept any more; absent without a call. */
  busiest: z.object({ calls: count, stepMs: z.number().min(1) }).optional(),
  /** Buckets without a call are left out. */
  buckets: z.array(callBucketSchema),
  /** Those of each server that was asked for by itself. */
  servers: z.array(z.object({ server: pastNameSchema, buckets: z.array(callBucketSchema) })).optional(),
});
export type CallSeriesReply = z.infer<typeof callSeriesReplySchema>;

export const MAX_PAST_EVENTS = 1000;

export const pastEventsQuerySchema = spanSchema.extend({
  /** All where it is left out; null for those of the panel itself. */
  server: pastNameSchema.nullable().optional(),
  kinds: z.array(z.enum(eventKinds)).optional(),
  /** Only what is older than the event with this id: the next page. */
  before: z.string().max(100).optional(),
  limit: z.number().int().min(1).max(MAX_PAST_EVENTS),
});
export type PastEventsQuery = z.infer<typeof pastEventsQuerySchema>;

export const pastEventsReplySchema = z.object({
  /** Oldest first: the newest `limit` of those that were asked for. */
  events: z.array(panelEventSchema),
  /** There are older ones in the span. */
  hasMore: z.boolean(),
  /** How many events of the span were asked for, those before and after `before` alike. */
  total: count,
});
export type PastEventsReply = z.infer<typeof pastEventsReplySchema>;

/** What the history is kept in, for Settings and diagnostics. */
export const historyStateSchema = z.object({
  /** `memory`: the file could not be opened, so only what this launch has seen is there. */
  keptIn: z.enum(['file', 'memory']),
  path: z.string().optional(),
  /** On disk, with what is not yet merged into the file. */
  sizeBytes: count.optional(),
  /** The oldest figure or event that is kept. */
  oldestAt: epochMs.optional(),
  /** What is wrong with it, in one sentence: opened anew after damage, disk full, read-only. */
  problem: z.string().optional(),
});
export type PastState = z.infer<typeof historyStateSchema>;
