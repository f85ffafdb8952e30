import { z } from 'zod';
import {
  approvalDecisionSchema,
  approvalSchema,
  auditPageSchema,
  auditQuerySchema,
  keptDecisionSchema,
} from '../../approvals.ts';
import { choiceBounds } from '../../bounds.ts';
import { call, knownNameSchema } from '../call.ts';

const settingSchema = z.object({
  name: knownNameSchema,
  ask: z.enum(choiceBounds['approval.ask'].values),
  /** Replaces the tools that are exceptions from `ask`. If undefined, the exceptions stay as they are. */
  tools: z.record(z.string(), z.boolean()).optional(),
});

const exportSchema = auditQuerySchema.extend({ format: z.enum(['jsonl', 'csv']) });

/** Calls of the page about calls by MCP clients: those that wait for the user's approval, and earlier ones. */
export const approvalsCalls = {
  /** Waiting calls, the longest-waiting first; also part of the snapshot and of pushes. */
  listApprovals: call({ method: 'list', result: z.array(approvalSchema) }),
  /** Approves or rejects a waiting call. CANCELLED if the call is no longer waiting. */
  answerApproval: call({
    method: 'answer',
    args: [z.object({ id: z.string().max(100), decision: approvalDecisionSchema })],
  }),
  /** Sets which calls of a server need the user's approval. */
  setApproval: call({ method: 'setAsk', args: [settingSchema] }),
  listDecisions: call({ method: 'decisions', result: z.array(keptDecisionSchema) }),
  revokeDecision: call({ method: 'revoke', args: [z.string().max(100)] }),
  /** Returns the newest 1000 calls that match the query. */
  getAudit: call({ method: 'audit', args: [auditQuerySchema], result: auditPageSchema }),
  /** Returns the calls that match the query as the content of a file, oldest first. */
  exportAudit: call({ method: 'export', args: [exportSchema], result: z.string() }),
};
