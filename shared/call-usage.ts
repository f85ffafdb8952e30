import { z } from 'zod';

/** What a row represents: a tool of a server, a client, a server, or each combination of the three. */
const callUsageKeys = ['tool', 'client', 'server', 'each'] as const;
export type CallUsageKey = (typeof callUsageKeys)[number];

/** Times are in epoch milliseconds. The history stores hours, so the span is widened to whole hours. */
export const callUsageQuerySchema = z.object({
  from: z.number(),
  to: z.number(),
  by: z.enum(callUsageKeys),
  /** Server whose calls are counted; undefined for all servers. */
  server: z.string().optional(),
});
export type CallUsageQuery = z.infer<typeof callUsageQuerySchema>;

const count = z.number().int().nonnegative();

/** Calls of tools by clients within the span. Fields by which the rows are not grouped are absent. */
const callUsageRowSchema = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  client: z.string().optional(),
  /** Number of different clients. */
  clients: count,
  calls: count,
  /** Calls that the tool itself answered with an error (`isError`). */
  toolErrors: count,
  /** Calls without a result: they ended with a protocol error or were lost. */
  errors: count,
  /** Response time in ms, exact to 10 %; absent if no call was answered. */
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  /** Bytes of the requests and of the responses. */
  bytesIn: count,
  bytesOut: count,
  lastAt: z.number(),
});
export type CallUsageRow = z.infer<typeof callUsageRowSchema>;

/** Rows, sorted by number of calls in descending order. */
export const callUsageSchema = z.object({
  from: z.number(),
  to: z.number(),
  rows: z.array(callUsageRowSchema),
});
export type CallUsage = z.infer<typeof callUsageSchema>;
