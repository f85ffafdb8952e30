import { z } from 'zod';
import { eventKinds, panelEventSchema } from './events.ts';

/** Milliseconds since 1970. */
const epochMs = z.number().min(0);
const count = z.number().int().min(0);
/** Name that a server had at that time. A server that is no longer configured still has its history. */
const pastNameSchema = z.string().max(200);

/** Figures of a server that the history keeps; names and units are the same as in a sample. */
export const historyMetrics = ['memoryBytes', 'cpuPercent', 'openFiles', 'processCount', 'rttMs'] as const;
export type HistoryMetric = (typeof historyMetrics)[number];

export const MAX_SERIES_BUCKETS = 2000;
const MAX_SERVERS = 1000;

/** Time span that includes `from` and excludes `to`. */
const spanSchema = z.object({ from: epochMs, to: epochMs });
export type Span = z.infer<typeof spanSchema>;

export const seriesQuerySchema = spanSchema.extend({
  servers: z.array(pastNameSchema).max(MAX_SERVERS),
  /** True if the answer includes removed servers that have any figure within the span. */
  withOthers: z.boolean().optional(),
  metrics: z.array(z.enum(historyMetrics)).min(1).max(historyMetrics.length),
  /** Maximum number of buckets over the whole span. */
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
  /** True if the answer includes totals of the whole span. */
  withTotals: z.boolean().optional(),
});
export type SeriesQuery = z.infer<typeof seriesQuerySchema>;

/**
 * Series of one figure of one server over the span. Its four lists have the same length. Empty buckets are left out, so that a
 * gap in the data is a gap in the curve. `avg` gives each sample the same weight.
 */
const seriesSchema = z.object({
  server: pastNameSchema,
  metric: z.enum(historyMetrics),
  /** Bucket numbers, ascending. Each bucket covers `stepMs` milliseconds from `from + index * stepMs`. */
  index: z.array(count),
  min: z.array(z.number()),
  avg: z.array(z.number()),
  max: z.array(z.number()),
});
export type Series = z.infer<typeof seriesSchema>;

/** Totals of one figure over the requested span, whatever the number of buckets, so that all views show the same totals. */
const spanTotalSchema = z.object({
  /** Name of a server; null for the sum of all servers of the answer. */
  server: pastNameSchema.nullable(),
  metric: z.enum(historyMetrics),
  /** Average over the time the panel ran. A stopped server counts as 0, so the servers' averages add up to that of all. */
  average: z.number(),
  /** Average over the time in which the server ran; undefined for the sum of all servers. */
  whileRunning: z.number().optional(),
  /** Highest sample. For the sum of all servers: the highest of one server plus the average use of the others at that time. */
  peak: z.number(),
});
export type SpanTotal = z.infer<typeof spanTotalSchema>;

/** Limits of a server that are in force from the time `from`. */
const limitsInForceSchema = z.object({
  server: pastNameSchema,
  from: epochMs,
  maxMemoryMiB: z.number(),
  maxCpuPercent: z.number(),
  maxOpenFiles: z.number(),
});
export type LimitsInForce = z.infer<typeof limitsInForceSchema>;

export const seriesReplySchema = spanSchema.extend({
  /** Length of a bucket in ms; never shorter than the resolution at which the history keeps the span. */
  stepMs: z.number().min(1),
  /** Source of the buckets: single samples, minutes, or quarters of an hour. */
  resolution: z.enum(['sample', 'minute', 'quarter-hour']),
  series: z.array(seriesSchema),
  /** Gaps in which the panel did not run; time before the start of the history is not included. */
  absences: z.array(spanSchema),
  /** Limits in force at `from`, and each later change; oldest first for each server. */
  limits: z.array(limitsInForceSchema),
  /** Totals of each series that has any figure, and of all servers together; undefined if not requested. */
  totals: z.array(spanTotalSchema).optional(),
});
export type SeriesReply = z.infer<typeof seriesReplySchema>;

export const callSeriesQuerySchema = spanSchema.extend({
  /** Name of a server; undefined for all servers. */
  server: pastNameSchema.optional(),
  /**
   * Id of an MCP client: the calls are then returned as this client saw them. If undefined, all calls are returned as the
   * connections to the servers saw them.
   */
  client: z.string().max(200).optional(),
  /** Servers whose buckets are also returned separately. */
  eachOf: z.array(pastNameSchema).max(MAX_SERVERS).optional(),
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
});
export type CallSeriesQuery = z.infer<typeof callSeriesQuerySchema>;

const callBucketSchema = z.object({
  index: count,
  calls: count,
  errors: count,
  /** Average duration of the calls whose duration shows how long the server takes; undefined if there are no such calls. */
  averageMs: z.number().min(0).optional(),
  maxMs: z.number().min(0).optional(),
  /** Percentiles of the durations; present only in a bucket of one minute within the last hour of this app run. */
  p50Ms: z.number().min(0).optional(),
  p95Ms: z.number().min(0).optional(),
});
export type CallBucket = z.infer<typeof callBucketSchema>;

export const callSeriesReplySchema = spanSchema.extend({
  stepMs: z.number().min(1),
  /** Number of calls in the span's busiest minute, or quarter of an hour if minutes are no longer kept; undefined if no calls. */
  busiest: z.object({ calls: count, stepMs: z.number().min(1) }).optional(),
  /** Buckets; those without calls are left out. */
  buckets: z.array(callBucketSchema),
  /** Buckets of each server in `eachOf`. */
  servers: z.array(z.object({ server: pastNameSchema, buckets: z.array(callBucketSchema) })).optional(),
});
export type CallSeriesReply = z.infer<typeof callSeriesReplySchema>;

export const MAX_PAST_EVENTS = 1000;

export const pastEventsQuerySchema = spanSchema.extend({
  /** Name of a server; null for events of the panel itself, undefined for all servers. */
  server: pastNameSchema.nullable().optional(),
  kinds: z.array(z.enum(eventKinds)).optional(),
  /** Id of an event: only events older than this event are returned, as the next page. */
  before: z.string().max(100).optional(),
  limit: z.number().int().min(1).max(MAX_PAST_EVENTS),
});
export type PastEventsQuery = z.infer<typeof pastEventsQuerySchema>;

export const pastEventsReplySchema = z.object({
  /** The newest requested events, at most `limit`, oldest first. */
  events: z.array(panelEventSchema),
  /** True if the span has events older than the returned events. */
  hasMore: z.boolean(),
  /** Number of events in the span that match the query, regardless of `before`. */
  total: count,
});
export type PastEventsReply = z.infer<typeof pastEventsReplySchema>;

/** State of the history store, for Settings and diagnostics. */
export const historyStateSchema = z.object({
  /** Location of the data. `memory` means that the file could not be opened, so that only data of this app run exists. */
  keptIn: z.enum(['file', 'memory']),
  path: z.string().optional(),
  /** Size on disk in bytes, including data that has not yet been merged into the file. */
  sizeBytes: count.optional(),
  /** Time of the oldest figure or event. */
  oldestAt: epochMs.optional(),
  /** Problem in one sentence, for example: the store was created anew after damage, the disk is full, the file is read-only. */
  problem: z.string().optional(),
});
export type PastState = z.infer<typeof historyStateSchema>;
