import type { Span } from '../../shared/history.ts';
import { KEPT_MS } from '../../shared/retention.ts';

/** Time after now that queries include, in ms, because the clock may have been set back slightly since the last event. */
const AHEAD_MS = 60_000;

/** Span for which the history may have events. */
export const keptSpan = (now: number): Span => ({ from: Math.max(0, now - KEPT_MS), to: now + AHEAD_MS });
