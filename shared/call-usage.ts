import { z } from 'zod';

/** What a row stands for: a tool of a server, a client, a server, or each of the three together. */
const callUsageKeys = ['tool', 'client', 'server', 'each'] as const;
export type CallUsageKey = (typeof callUsageKeys)[number];

/** Times in epoch milliseconds; the history keeps hours, so the span is widened to whole hours. */
export const callUsageQuerySchema = z.object({
  from: z.number(),
  to: z.number(),
  by: z.enum(callUsageKeys),
  /** Server whose calls are counted; all if undefined. */
  server: z.string().optional(),
});
export type CallUsageQuery = z.infer<typeof callUsageQuerySchema>;

const count = z.number().int().nonnegative();

/** Calls of tools by clients within the span. A field that the rows are not told apart by is absent. */
const callUsageRowSchema = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  client: z.string().optional(),
  /** Number of different clients. */
  clients: count,
  calls: count,
  /** Calls that the tool itself answered with an error (`isError`). */
  toolErrors: count,
  /** Calls that were not answered with a result: an error of the protocol, or lost. */
  errors: count,
  /** Time until the answer in ms, within 10 %; absent where no call was answered. */
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  /** Bytes of the requests and of the answers. */
  bytesIn: count,
  bytesOut: count,
  lastAt: z.number(),
});
export type CallUsageRow = z.infer<typeof callUsageRowSchema>;

/** Rows with the most calls first. */
export const callUsageSchema = z.object({
  from: z.number(),
  to: z.number(),
  rows: z.array(callUsageRowSchema),
});
export type CallUsage = z.infer<typeof callUsageSchema>;
