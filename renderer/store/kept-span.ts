import type { Span } from '../../shared/history.ts';

/** Time for which events are kept. */
const KEPT_MS = 90 * 86_400_000;
/** Time after now that is asked for, because the clock may have been set back a little since the last event. */
const AHEAD_MS = 60_000;

/** All the time of which the history may have events. */
export const keptSpan = (now: number): Span => ({ from: Math.max(0, now - KEPT_MS), to: now + AHEAD_MS });
