import { z } from 'zod';

export const approvalDecisionSchema = z.enum(['once', '15-min', 'always', 'refuse']);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** A call that waits for a person. Times in epoch milliseconds. Texts are redacted. */
export const approvalSchema = z.object({
  id: z.string(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Hash of the tool as it describes itself now; decisions hold for it alone. */
  digest: z.string(),
  since: z.number(),
  /** Time at which it is refused. */
  until: z.number(),
  isMarked: z.boolean(),
  description: z.string().optional(),
  /** Arguments as JSON, cut where they are long. */
  arguments: z.string().optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** An answer that goes on holding. */
export const keptDecisionSchema = approvalSchema
  .pick({ id: true, client: true, server: true, tool: true, digest: true })
  .extend({ until: z.number().optional() });
export type KeptDecision = z.infer<typeof keptDecisionSchema>;

/** Who let a call pass, or kept it back; `changed`: the tool was not what a person had accepted. */
const approvedBySchema = z.enum(['once', '15-min', 'always', 'refused', 'timeout', 'changed']);
export type ApprovedBy = z.infer<typeof approvedBySchema>;

/** One call of a tool by a client. */
const auditRowSchema = z.object({
  id: z.number().int(),
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  digest: z.string().optional(),
  /** As in the figures of calls: `lost` where neither client nor server decided it. */
  outcome: z.enum(['result', 'error', 'cancelled', 'lost']),
  durationMs: z.number(),
  approvedBy: approvedBySchema.optional(),
  /** The tool itself answered with an error (`isError`). */
  isToolError: z.literal(true).optional(),
  /** Bytes of the request and of the answer. */
  bytesIn: z.number().optional(),
  bytesOut: z.number().optional(),
  /** Only where the setting `audit.arguments` is on. */
  arguments: z.string().optional(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

export const auditQuerySchema = z.object({
  /** Epoch milliseconds. */
  sinceMs: z.number(),
  /** Text that client, server, tool or arguments contain, whatever the case of its letters. */
  text: z.string().max(1000).optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditPageSchema = z.object({
  /** Newest first. */
  rows: z.array(auditRowSchema),
  /** False when a row was changed or taken out: each holds a hash over itself and the one before. */
  isIntact: z.boolean(),
  hasMore: z.boolean(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
