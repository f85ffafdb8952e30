import type { CountedOutcome } from '../../../../shared/call-figures.ts';

/** A call that is over for its caller. */
export interface EndedCall {
  readonly outcome: CountedOutcome;
  /** From the sending to the end of the caller's wait. */
  readonly durationMs: number;
}

/** Who called off a call did not find it wrong. */
export const isError = ({ outcome }: EndedCall): boolean => outcome !== 'result' && outcome !== 'cancelled';

/** Whether the duration says how long the server takes. Of a call that was cancelled or lost it says when that happened. */
export const isTimed = ({ outcome }: EndedCall): boolean => outcome !== 'cancelled' && outcome !== 'lost';
