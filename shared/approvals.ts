import { z } from 'zod';

export const approvalDecisionSchema = z.enum(['once', '15-min', 'always', 'refuse']);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** Call that waits for the user's approval. Times are in epoch milliseconds. Texts are redacted. */
export const approvalSchema = z.object({
  id: z.string(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Hash of what the server currently says about the tool. A decision applies only while this hash stays the same. */
  digest: z.string(),
  since: z.number(),
  /** Time at which the call is refused if it was not approved. */
  until: z.number(),
  isMarked: z.boolean(),
  description: z.string().optional(),
  /** Arguments as JSON, shortened if they are long. */
  arguments: z.string().optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** Decision that continues to apply to later calls. */
export const keptDecisionSchema = approvalSchema
  .pick({ id: true, client: true, server: true, tool: true, digest: true })
  .extend({ until: z.number().optional() });
export type KeptDecision = z.infer<typeof keptDecisionSchema>;

/** Decision that let a call pass or blocked it. `changed`: the tool differed from the one that the user had accepted. */
const approvedBySchema = z.enum(['once', '15-min', 'always', 'refused', 'timeout', 'changed']);
export type ApprovedBy = z.infer<typeof approvedBySchema>;

/** Entry of the audit log: one call of a tool by a client. */
const auditRowSchema = z.object({
  id: z.number().int(),
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  digest: z.string().optional(),
  /** Outcome of the call for the client. `lost`: not decided by client or server, for example because the connection ended. */
  outcome: z.enum(['result', 'error', 'cancelled', 'lost']),
  durationMs: z.number(),
  approvedBy: approvedBySchema.optional(),
  /** Set if the tool itself answered with an error (`isError`). */
  isToolError: z.literal(true).optional(),
  /** Bytes of the request and of the response. */
  bytesIn: z.number().optional(),
  bytesOut: z.number().optional(),
  /** Set only if the setting `audit.arguments` is on. */
  arguments: z.string().optional(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

export const auditQuerySchema = z.object({
  /** Epoch milliseconds. */
  sinceMs: z.number(),
  /** Text to find in client, server, tool or arguments; case-insensitive. */
  text: z.string().max(1000).optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditPageSchema = z.object({
  /** Newest first. */
  rows: z.array(auditRowSchema),
  /** False if a row was changed or removed. Each row contains a hash of itself and the row before it. */
  isIntact: z.boolean(),
  hasMore: z.boolean(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
