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
  /** Replaces the tools that `ask` does not hold for; absent: they stay. */
  tools: z.record(z.string(), z.boolean()).optional(),
});

const exportSchema = auditQuerySchema.extend({ format: z.enum(['jsonl', 'csv']) });

/** Calls about the calls of clients: which wait for a person, and which there were. */
export const approvalsCalls = {
  /** Calls that wait, the longest first; also part of the snapshot and of pushes. */
  listApprovals: call({ method: 'list', result: z.array(approvalSchema) }),
  /** CANCELLED where the call does not wait any more. */
  answerApproval: call({
    method: 'answer',
    args: [z.object({ id: z.string().max(100), decision: approvalDecisionSchema })],
  }),
  /** Sets when a person is asked. */
  setApproval: call({ method: 'setAsk', args: [settingSchema] }),
  listDecisions: call({ method: 'decisions', result: z.array(keptDecisionSchema) }),
  revokeDecision: call({ method: 'revoke', args: [z.string().max(100)] }),
  /** The newest thousand calls. */
  getAudit: call({ method: 'audit', args: [auditQuerySchema], result: auditPageSchema }),
  /** Text of a file with these calls, oldest first. */
  exportAudit: call({ method: 'export', args: [exportSchema], result: z.string() }),
};
