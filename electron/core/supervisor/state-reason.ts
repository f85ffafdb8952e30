import type { ServerStateView } from '../../../shared/domain.ts';
import { toErrorReport, type PanelError } from '../../../shared/error-codes.ts';
import { mapErrorData } from '../../../shared/error-data.ts';
import type { Silence } from '../../../shared/silence.ts';

/** Why a server is in a state: in words, and as data for who says it in other words. */
export type StateReason = Pick<ServerStateView, 'reason' | 'reasonData'>;

export function reasonOf(error: PanelError): StateReason {
  const { message, data } = toErrorReport(error, error.code);
  const { phrase, brief, hasMore } = data ?? {};
  return { reason: message, ...(phrase !== undefined && { reasonData: { phrase, brief, hasMore } }) };
}

/** @param verdict that a server does not respond */
export const reasonOfVerdict = ({
  words,
  silence,
}: {
  readonly words: string;
  readonly silence: Silence;
}): StateReason => ({ reason: words, reasonData: { silence } });

/** The same state for another reason. */
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
