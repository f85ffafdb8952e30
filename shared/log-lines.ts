import { z } from 'zod';
import { logLevels, logSources, MAX_LOG_PAGE } from './log-kinds.ts';

const epochMs = z.number().min(0);
const count = z.number().int().min(0);
const pastNameSchema = z.string().max(200);
const keySchema = z.string().max(200);

/** One message on the connection to a server. Its line's text says the same in words. */
export const trafficSchema = z.object({
  direction: z.enum(['to-server', 'from-server']),
  kind: z.enum(['request', 'result', 'error', 'notification']),
  /** Of an answer the method of its request. */
  method: z.string(),
  /** Name of the tool or prompt, or address of the resource. */
  target: z.string().optional(),
  /** The message as JSON, in bytes. */
  sizeBytes: count.optional(),
  /** Of an answer: since its request. */
  durationMs: z.number().min(0).optional(),
  /** On whose behalf: the name of a client, `window` for this panel's own window. Absent where nobody in particular asked. */
  client: z.string().optional(),
  /** The panel asked it for itself, as a check or for a list, or it is the answer to that. */
  own: z.literal(true).optional(),
  /** Key of the request that an answer belongs to, or of its answer. */
  pairKey: keySchema.optional(),
  /** Its content can still be asked for. */
  hasContent: z.boolean(),
});
export type Traffic = z.infer<typeof trafficSchema>;

export const logLineSchema = z.object({
  /** Unique over servers, sources and launches. Its order is that of the page, and says nothing by itself. */
  key: keySchema,
  at: epochMs,
  /** Null for the panel's own. */
  server: pastNameSchema.nullable(),
  /** A further process of the server (`name#2`), whose generations are counted apart. Absent for the server's own. */
  instance: pastNameSchema.optional(),
  source: z.enum(logSources),
  // A field that does not hold costs itself and never the page of lines that it stands in.
  level: z.enum(logLevels).optional().catch(undefined),
  generation: count.optional(),
  /** Redacted, cut at 4000 characters, with escape sequences of colours as they were written. */
  text: z.string(),
  traffic: trafficSchema.optional(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** What is left out does not filter. */
export const logFilterSchema = z.object({
  /** By their names; an empty one is the panel itself. */
  servers: z.array(pastNameSchema).max(1000).optional(),
  sources: z.array(z.enum(logSources)).optional(),
  /** Only lines that name a level, and at least this one. Lines of stderr get theirs from their words. */
  leastLevel: z.enum(logLevels).optional(),
  /** One of this launch, and of the server's own process: others count theirs apart. */
  generation: count.optional(),
  /** Without the traffic that is the panel's own. */
  withoutOwn: z.literal(true).optional(),
  from: epochMs.optional(),
  /** Lines before it. */
  to: epochMs.optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

export const logPageQuerySchema = z.object({
  filter: logFilterSchema,
  /** Lines next to this one, on that side. Left out: the newest. `at` begins at a moment in place of a line. */
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
  /** Oldest first. */
  lines: z.array(logLineSchema),
  /** There is more on the side that was asked for. */
  hasMore: z.boolean(),
  /** The line of `beside` is no longer kept: what came is the nearest that is. */
  isCutOff: z.literal(true).optional(),
  /**
   * Of the newest lines, and of newer ones: how far was looked, whether or not the filter let pass what was there. What
   * comes next is asked for beside it, which costs next to nothing while nothing does. It is told in the order in which it
   * comes, whatever the clock says.
   */
  tail: keySchema.optional(),
});
export type LogPage = z.infer<typeof logPageSchema>;

export const logSearchSchema = z.object({
  filter: logFilterSchema,
  /** Found anywhere in the text, upper and lower case alike unless case counts. */
  text: z.string().min(1).max(1000),
  matchesCase: z.literal(true).optional(),
  /** From this line on, without it; left out: from the newest. */
  key: keySchema.optional(),
  side: z.enum(['older', 'newer']),
});
export type LogSearch = z.infer<typeof logSearchSchema>;

export const logSearchResultSchema = z.object({
  hit: logLineSchema.optional(),
  /** Where to go on from when neither a hit nor the end was reached in one slice of the search. */
  continueAt: keySchema.optional(),
  scannedLines: count,
});
export type LogSearchResult = z.infer<typeof logSearchResultSchema>;

export const logContentSchema = z.object({
  /** JSON as it was sent, with secrets blacked out. */
  text: z.string(),
  /** More than is shown. */
  leftOutBytes: count,
});
export type LogContent = z.infer<typeof logContentSchema>;
