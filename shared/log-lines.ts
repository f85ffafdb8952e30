import { z } from 'zod';
import { logLevels, logSources, MAX_LOG_PAGE } from './log-kinds.ts';

const epochMs = z.number().min(0);
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const keySchema = z.string().max(200);

/** Message on the connection to a server. The text of its log line contains the same information. */
const trafficSchema = z.object({
  direction: z.enum(['to-server', 'from-server']),
  kind: z.enum(['request', 'result', 'error', 'notification']),
  /** Method of the message; for an answer, the method of its request. */
  method: z.string(),
  /** Name of the tool or prompt, or URI of the resource. */
  target: z.string().optional(),
  /** Size of the message as JSON, in bytes. */
  sizeBytes: count.optional(),
  /** Time since the request, in ms; answers only. */
  durationMs: z.number().min(0).optional(),
  /** Caller: the name of an MCP client, or `window` for this panel's app window. Undefined if there is no particular caller. */
  client: z.string().optional(),
  /** True if the panel sent the message for itself, as a health check or to read a list, or if it is the answer to one. */
  own: z.literal(true).optional(),
  /** For an answer, the key of its request; for a request, the key of its answer. */
  pairKey: keySchema.optional(),
  /** True if the message's content can still be fetched. */
  hasContent: z.boolean(),
});
export type Traffic = z.infer<typeof trafficSchema>;

const logLineSchema = z.object({
  /** Key of the line, unique across servers, sources and app runs. Its only meaning is that keys sort as a page's lines do. */
  key: keySchema,
  at: epochMs,
  /** Name of the server; null for the panel itself. */
  server: pastNameSchema.nullable(),
  /** Name of the server's replica (`name#2`), whose runs (generations) are numbered separately; undefined for the main one. */
  instance: pastNameSchema.optional(),
  source: z.enum(logSources),
  // An invalid level is dropped, because otherwise the whole page of lines would be rejected.
  level: z.enum(logLevels).optional().catch(undefined),
  generation: count.optional(),
  /** Redacted text, cut at 4000 characters. It may contain the escape sequences of colours. */
  text: z.string(),
  traffic: trafficSchema.optional(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** Filter of log lines. A field that is left out does not filter. */
const logFilterSchema = z.object({
  /** Names of servers; an empty name means the panel itself. */
  servers: z.array(pastNameSchema).max(1000).optional(),
  sources: z.array(z.enum(logSources)).optional(),
  /** Lowest level of the lines; lines without a level are left out. Levels of stderr lines are derived from their text. */
  leastLevel: z.enum(logLevels).optional(),
  /** Generation (run number) of the server's main instance in this app run. Replicas count their generations separately. */
  generation: count.optional(),
  /** True if messages that the panel sent for itself are left out. */
  withoutOwn: z.literal(true).optional(),
  from: epochMs.optional(),
  /** End of the time span, exclusive: only earlier lines are returned. */
  to: epochMs.optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

export const logPageQuerySchema = z.object({
  filter: logFilterSchema,
  /**
   * Line next to which the page begins, and on which side of that line the page is. If left out, the page has the newest lines.
   * `at` is a time instead of a line.
   */
  beside: z
    .object({
      key: keySchema.optional(),
      at: epochMs.optional(),
      side: z.enum(['older', 'newer']),
    })
    .optional(),
  limit: z.number().int().min(1).max(MAX_LOG_PAGE),
});
export type LogPageQuery = z.infer<typeof logPageQuerySchema>;

export const logPageSchema = z.object({
  /** Lines, oldest first. */
  lines: z.array(logLineSchema),
  /** True if there are more lines on the requested side. */
  hasMore: z.boolean(),
  /** True if the line of `beside` is no longer kept; then the page has the nearest lines that are kept. */
  isCutOff: z.literal(true).optional(),
  /**
   * Key of the last scanned line, even if the filter excluded that line. Present for a request for the newest or for newer
   * lines. Later lines are requested with this key in `beside`, which is cheap while there are none. Later lines follow in
   * order of arrival, even if the clock was changed.
   */
  tail: keySchema.optional(),
});
export type LogPage = z.infer<typeof logPageSchema>;

export const logSearchSchema = z.object({
  filter: logFilterSchema,
  /** Text to find anywhere in a line, ignoring case unless `matchesCase` is true. */
  text: z.string().min(1).max(1000),
  matchesCase: z.literal(true).optional(),
  /** Key of the line at which the search begins, which is not searched itself. If omitted, it begins at the newest line. */
  key: keySchema.optional(),
  side: z.enum(['older', 'newer']),
});
export type LogSearch = z.infer<typeof logSearchSchema>;

export const logSearchResultSchema = z.object({
  hit: logLineSchema.optional(),
  /** Key at which to continue if a slice of the search reached neither a hit nor the end. */
  continueAt: keySchema.optional(),
  scannedLines: count,
});
export type LogSearchResult = z.infer<typeof logSearchResultSchema>;

export const logContentSchema = z.object({
  /** JSON as sent, with secrets redacted. */
  text: z.string(),
  /** Number of bytes not shown. */
  leftOutBytes: count,
});
export type LogContent = z.infer<typeof logContentSchema>;
