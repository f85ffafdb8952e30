/** What a call of a tool finds whose server answers in turn. */
export interface SpareFacts {
  /** Another session's call is under way at the place of this one. */
  readonly isBusy: boolean;
  /** The session has moved to a further process, and stays there. */
  readonly isOnSpare: boolean;
  /** The further process that it may have: none where there is no room, or the last one did not start. */
  readonly spare: 'open' | 'opening' | 'possible' | 'none';
  /** How long the call has been held back. */
  readonly heldMs: number;
}

/** `write`: where the session is. `move`: first to the open spare. `open`: a spare is started, and the call held meanwhile. */
export type SpareStep = 'write' | 'move' | 'open' | 'hold';

/** A process costs more than a short wait, so one is started only for a call that has waited for this long. */
export const SPARE_AFTER_MS = 1000;

/**
 * What to do with the call. It is held back only for a further process that there is room for: behind the other call it would
 * wait no longer, but once written it cannot be moved any more, since no call is sent twice.
 */
export function spareStep({ isBusy, isOnSpare, spare, heldMs }: SpareFacts): SpareStep {
  if (!isBusy || isOnSpare || spare === 'none') return 'write';
  if (spare === 'open') return 'move';
  if (spare === 'opening' || heldMs < SPARE_AFTER_MS) return 'hold';
  return 'open';
}
