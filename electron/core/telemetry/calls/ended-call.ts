import type { CountedOutcome } from '../../../../shared/call-figures.ts';

/** Call that has ended for its caller. */
export interface EndedCall {
  readonly outcome: CountedOutcome;
  /** Milliseconds from the sending of the call to the end of the caller's wait. */
  readonly durationMs: number;
}

/** True if the call failed; a cancellation by the caller is no failure. */
export const isError = ({ outcome }: EndedCall): boolean => outcome !== 'result' && outcome !== 'cancelled';

/**
 * True if the duration shows how long the server takes. For a cancelled or lost call the duration shows only when that
 * happened.
 */
export const isTimed = ({ outcome }: EndedCall): boolean => outcome !== 'cancelled' && outcome !== 'lost';
