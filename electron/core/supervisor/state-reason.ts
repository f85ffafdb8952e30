import type { ServerStateView } from '../../../shared/domain.ts';
import { toErrorReport, type PanelError } from '../../../shared/error-codes.ts';
import { mapErrorData } from '../../../shared/error-data.ts';
import type { Doubt } from './liveness/verdict.ts';

/** Reason why a server is in its current state: a text to be shown, and data from which other texts can be built. */
export type StateReason = Pick<ServerStateView, 'reason' | 'reasonData'>;

export function reasonOf(error: PanelError): StateReason {
  const { message, data } = toErrorReport(error, error.code);
  const { phrase, brief, hasMore } = data ?? {};
  return { reason: message, ...(phrase !== undefined && { reasonData: { phrase, brief, hasMore } }) };
}

/** @param verdict the verdict that a server does not respond */
export const reasonOfVerdict = ({ words, silence }: Doubt): StateReason => ({
  reason: words,
  ...(silence && { reasonData: { silence } }),
});

export function withReason(
  { reason: _, reasonData: __, ...state }: ServerStateView,
  reason: string | undefined,
): ServerStateView {
  return reason === undefined ? state : { ...state, reason };
}

export function redactState(state: ServerStateView, redact: (text: string) => string): ServerStateView {
  const { reason, reasonData } = state;
  return {
    ...state,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(reasonData && { reasonData: mapErrorData(reasonData, redact) }),
  };
}
