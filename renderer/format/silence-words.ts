import { numberBounds } from '../../shared/bounds.ts';
import type { PanelEvent } from '../../shared/domain.ts';
import { readNumber, readRecord } from './detail-fields.ts';

export const LONGEST_SILENCE_MS = numberBounds['health.stallThresholdMs'].max;

/**
 * Silence to allow a server after a stall verdict that was wrong, in ms: twice what was allowed then.
 * Undefined where no more can be allowed.
 * @param currentMs what is allowed now
 */
export function silenceToAllow(
  { detail }: Pick<PanelEvent, 'detail'>,
  currentMs: number,
): number | undefined {
  const thenMs = readNumber(readRecord(detail, 'evidence') ?? {}, 'thresholdMs') ?? currentMs;
  return thenMs >= LONGEST_SILENCE_MS ? undefined : Math.min(LONGEST_SILENCE_MS, 2 * thenMs);
}
