import type { ApprovalDecision, ApprovedBy } from '../../../shared/approvals.ts';

/** State of one question. Every state but `waiting` is an end, so that a call is let through at most once. */
export type QuestionState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'allowed'; readonly by: Extract<ApprovedBy, 'once' | '15-min' | 'always'> }
  | { readonly kind: 'refused'; readonly by: Extract<ApprovedBy, 'refused' | 'timeout'> }
  /** Nobody waits for an answer any more: the client has left, or the panel ends. */
  | { readonly kind: 'gone' };

export type QuestionEvent =
  | { readonly kind: 'answered'; readonly decision: ApprovalDecision }
  | { readonly kind: 'time-is-up' }
  | { readonly kind: 'left' };

export function nextQuestion(question: QuestionState, event: QuestionEvent): QuestionState {
  if (question.kind !== 'waiting') return question;
  if (event.kind === 'left') return { kind: 'gone' };
  if (event.kind === 'time-is-up') return { kind: 'refused', by: 'timeout' };
  return event.decision === 'refuse'
    ? { kind: 'refused', by: 'refused' }
    : { kind: 'allowed', by: event.decision };
}
