import type { Span } from '../../shared/history.ts';
import { KEPT_MS } from '../../shared/retention.ts';

/** Milliseconds after now that queries include, because the clock may have been set back slightly since the last event. */
const AHEAD_MS = 60_000;

/** Time span for which the history may have events. */
export const keptSpan = (now: number): Span => ({ from: Math.max(0, now - KEPT_MS), to: now + AHEAD_MS });
