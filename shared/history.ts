import { z } from 'zod';
import { eventKinds, panelEventSchema } from './events.ts';

/** Milliseconds since 1970. */
const epochMs = z.number().min(0);
const count = z.number().int().min(0);
/** Names of servers at that time; a server that is no longer configured still has its history. */
const pastNameSchema = z.string().max(200);

/** Figures kept of a server over time; names and units as in a sample. */
export const historyMetrics = ['memoryBytes', 'cpuPercent', 'openFiles', 'processCount', 'rttMs'] as const;
export type HistoryMetric = (typeof historyMetrics)[number];

export const MAX_SERIES_BUCKETS = 2000;
const MAX_SERVERS = 1000;

/** Span of time: `from` included, `to` excluded. */
const spanSchema = z.object({ from: epochMs, to: epochMs });
export type Span = z.infer<typeof spanSchema>;

export const seriesQuerySchema = spanSchema.extend({
  servers: z.array(pastNameSchema).max(MAX_SERVERS),
  /** Whether the answer includes removed servers that have any figure within the span. */
  withOthers: z.boolean().optional(),
  metrics: z.array(z.enum(historyMetrics)).min(1).max(historyMetrics.length),
  /** Maximum buckets over the whole span. */
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
  /** Whether the answer includes totals of the whole span. */
  withTotals: z.boolean().optional(),
});
export type SeriesQuery = z.infer<typeof seriesQuerySchema>;

/**
 * Series of one figure of one server over the span. Its four lists are equally long. An empty bucket is left out, so that a
 * gap in the data is a gap in the curve. `avg` weighs each sample the same.
 */
const seriesSchema = z.object({
  server: pastNameSchema,
  metric: z.enum(historyMetrics),
  /** Numbers of the buckets, ascending: each covers `from + index * stepMs` up to `stepMs` later. */
  index: z.array(count),
  min: z.array(z.number()),
  avg: z.array(z.number()),
  max: z.array(z.number()),
});
export type Series = z.infer<typeof seriesSchema>;

/**
 * Totals of one figure over the whole requested span. They do not depend on the number of buckets, so that each view of the
 * span shows the same.
 */
const spanTotalSchema = z.object({
  /** Server; null for all servers of the answer together. */
  server: pastNameSchema.nullable(),
  metric: z.enum(historyMetrics),
  /**
   * Average over the time in which the panel ran, in which a stopped server counts as 0. The averages of the servers add up to
   * that of all servers.
   */
  average: z.number(),
  /** Average over the time in which the server ran; undefined for all servers together. */
  whileRunning: z.number().optional(),
  /** Highest sample; for all servers together, the highest sample of one plus the average use of the others at that time. */
  peak: z.number(),
});
export type SpanTotal = z.infer<typeof spanTotalSchema>;

/** Limits of a server in force from that time on. */
const limitsInForceSchema = z.object({
  server: pastNameSchema,
  from: epochMs,
  maxMemoryMiB: z.number(),
  maxCpuPercent: z.number(),
  maxOpenFiles: z.number(),
});
export type LimitsInForce = z.infer<typeof limitsInForceSchema>;

export const seriesReplySchema = spanSchema.extend({
  /** Length of a bucket in ms; never shorter than the resolution in which the history keeps the span. */
  stepMs: z.number().min(1),
  /** Source of the buckets: single samples, minutes, or quarters of an hour. */
  resolution: z.enum(['sample', 'minute', 'quarter-hour']),
  series: z.array(seriesSchema),
  /** Gaps in which no panel ran, from the start of the history on. */
  absences: z.array(spanSchema),
  /** Limits in force at `from`, then each change; oldest first for each server. */
  limits: z.array(limitsInForceSchema),
  /** Totals, if requested, of each series that has any figure, and of all servers together. */
  totals: z.array(spanTotalSchema).optional(),
});
export type SeriesReply = z.infer<typeof seriesReplySchema>;

export const callSeriesQuerySchema = spanSchema.extend({
  /** Name of a server; all servers if it is left out. */
  server: pastNameSchema.optional(),
  /** Id of the MCP client as which the calls are seen; if left out, all calls as the connections to the servers saw them. */
  client: z.string().max(200).optional(),
  /** Servers for each of which separate buckets are returned as well. */
  eachOf: z.array(pastNameSchema).max(MAX_SERVERS).optional(),
  maxBuckets: z.number().int().min(1).max(MAX_SERIES_BUCKETS),
});
export type CallSeriesQuery = z.infer<typeof callSeriesQuerySchema>;

const callBucketSchema = z.object({
  index: count,
  calls: count,
  errors: count,
  /** Average duration of the calls whose duration shows the server's time; undefined without such calls. */
  averageMs: z.number().min(0).optional(),
  maxMs: z.number().min(0).optional(),
  /** Percentiles of the durations; only for a bucket of one minute within the last hour of this app run. */
  p50Ms: z.number().min(0).optional(),
  p95Ms: z.number().min(0).optional(),
});
export type CallBucket = z.infer<typeof callBucketSchema>;

export const callSeriesReplySchema = spanSchema.extend({
  stepMs: z.number().min(1),
  /** Minute of the span with the most calls, or quarter of an hour where no minutes are kept; undefined without a call. */
  busiest: z.object({ calls: count, stepMs: z.number().min(1) }).optional(),
  /** Buckets; those without a call are left out. */
  buckets: z.array(callBucketSchema),
  /** Buckets of each server in `eachOf`. */
  servers: z.array(z.object({ server: pastNameSchema, buckets: z.array(callBucketSchema) })).optional(),
});
export type CallSeriesReply = z.infer<typeof callSeriesReplySchema>;

export const MAX_PAST_EVENTS = 1000;

export const pastEventsQuerySchema = spanSchema.extend({
  /** Name of a server; all servers if it is left out, null for events of the panel itself. */
  server: pastNameSchema.nullable().optional(),
  kinds: z.array(z.enum(eventKinds)).optional(),
  /** Id of an event: only events older than it are returned, as the next page. */
  before: z.string().max(100).optional(),
  limit: z.number().int().min(1).max(MAX_PAST_EVENTS),
});
export type PastEventsQuery = z.infer<typeof pastEventsQuerySchema>;

export const pastEventsReplySchema = z.object({
  /** Newest `limit` of the requested events, oldest first. */
  events: z.array(panelEventSchema),
  /** Whether the span has events older than these. */
  hasMore: z.boolean(),
  /** Number of requested events in the span, regardless of `before`. */
  total: count,
});
export type PastEventsReply = z.infer<typeof pastEventsReplySchema>;

/** State of the history store, for Settings and diagnostics. */
export const historyStateSchema = z.object({
  /** Place of the data. `memory`: the file could not be opened, so only data of this app run exists. */
  keptIn: z.enum(['file', 'memory']),
  path: z.string().optional(),
  /** Size on disk in bytes, including data that is not yet merged into the file. */
  sizeBytes: count.optional(),
  /** Time of the oldest figure or event. */
  oldestAt: epochMs.optional(),
  /** Problem in one sentence: opened anew after damage, disk full, read-only. */
  problem: z.string().optional(),
});
export type PastState = z.infer<typeof historyStateSchema>;
