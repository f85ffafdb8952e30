import { z } from 'zod';
import { logLevels, logSources, MAX_LOG_PAGE } from './log-kinds.ts';

const epochMs = z.number().min(0);
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const keySchema = z.string().max(200);

/** Message on the connection to a server. The text of its log line says the same. */
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
  /**
   * Caller: the name of an MCP client, or `window` for the app window of this panel. Undefined if the message belongs to no
   * particular caller.
   */
  client: z.string().optional(),
  /**
   * Whether the panel sent the message for itself, as a health check or to read a list; or whether it is the answer to such a
   * message.
   */
  own: z.literal(true).optional(),
  /** Key of the request that an answer belongs to; for a request, the key of its answer. */
  pairKey: keySchema.optional(),
  /** Whether the message's content can still be fetched. */
  hasContent: z.boolean(),
});
export type Traffic = z.infer<typeof trafficSchema>;

const logLineSchema = z.object({
  /**
   * Key of the line, unique over servers, sources and app runs. Keys sort as the lines of a page do, and have no other
   * meaning.
   */
  key: keySchema,
  at: epochMs,
  /** Server; null for the panel itself. */
  server: pastNameSchema.nullable(),
  /** Replica of the server (`name#2`), whose generations are counted apart. Undefined for the server's own process. */
  instance: pastNameSchema.optional(),
  source: z.enum(logSources),
  // An invalid field is dropped, so that it does not cost the whole page of lines.
  level: z.enum(logLevels).optional().catch(undefined),
  generation: count.optional(),
  /** Redacted text, cut at 4000 characters, with the escape sequences of colours. */
  text: z.string(),
  traffic: trafficSchema.optional(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** Filter of lines; a field that is left out does not filter. */
const logFilterSchema = z.object({
  /** Names of servers; an empty name is the panel itself. */
  servers: z.array(pastNameSchema).max(1000).optional(),
  sources: z.array(z.enum(logSources)).optional(),
  /** Lowest level of the lines; lines without a level are left out. Levels of stderr lines are derived from their text. */
  leastLevel: z.enum(logLevels).optional(),
  /** Generation (number of the run) of the server's own process in this app run; replicas count their generations separately. */
  generation: count.optional(),
  /** Whether messages that the panel sent for itself are left out. */
  withoutOwn: z.literal(true).optional(),
  from: epochMs.optional(),
  /** Time before which the lines came, exclusive. */
  to: epochMs.optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

export const logPageQuerySchema = z.object({
  filter: logFilterSchema,
  /**
   * Line beside which the page begins, and the side of that line on which the page is. If left out, the page has the newest
   * lines. `at` is a time in place of a line.
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
  /** Whether there are more lines on the requested side. */
  hasMore: z.boolean(),
  /** Whether the line of `beside` is no longer kept; then the page has the kept lines nearest to it. */
  isCutOff: z.literal(true).optional(),
  /**
   * Key of the last scanned line, for a request for the newest or for newer lines, whether or not the filter let lines pass.
   * Later lines are requested beside this key, which is cheap while there are none. They follow in the order of arrival,
   * whatever the clock says.
   */
  tail: keySchema.optional(),
});
export type LogPage = z.infer<typeof logPageSchema>;

export const logSearchSchema = z.object({
  filter: logFilterSchema,
  /** Text to find anywhere in a line, ignoring case unless case counts. */
  text: z.string().min(1).max(1000),
  matchesCase: z.literal(true).optional(),
  /** Key of the line at which the search begins; that line is not searched. If left out, the search begins at the newest line. */
  key: keySchema.optional(),
  side: z.enum(['older', 'newer']),
});
export type LogSearch = z.infer<typeof logSearchSchema>;

export const logSearchResultSchema = z.object({
  hit: logLineSchema.optional(),
  /** Key at which to continue when a slice of the search reached neither a hit nor the end. */
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
