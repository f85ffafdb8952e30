import type { Span } from '../../shared/history.ts';
import { KEPT_DAYS, KEPT_MS } from '../../shared/retention.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Spans up to now to choose from, shortest first. */
export const liveSpans = [
  { spanMs: 5 * MINUTE_MS, label: '5 min' },
  { spanMs: HOUR_MS, label: '1 h' },
  { spanMs: DAY_MS, label: '24 h' },
  { spanMs: 7 * DAY_MS, label: '7 d' },
  { spanMs: KEPT_MS, label: `${KEPT_DAYS} d` },
] as const;

/** Shortest span that shows everything there is of the last hour, so that a young history does not cling to the right edge. */
export function fittingSpanMs(oldestAt: number | undefined, now: number): number {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  return liveSpans.find(({ spanMs }) => age <= spanMs && spanMs <= HOUR_MS)?.spanMs ?? HOUR_MS;
}

/** Shortest span that can be chosen: ten samples. */
const SHORTEST_SPAN_MS = 10_000;
/** Ways back that are kept. */
const MAX_STEPS_BACK = 30;

/** What the charts of the window show. */
export type SpanChoice =
  /** The last while up to now, which moves on. Without a length, each chart takes the one that fits what it has. */
  | { readonly kind: 'live'; readonly spanMs: number | undefined }
  /** A span that stands still. */
  | { readonly kind: 'still'; readonly span: Span };

/** The choice, and the ones before it, oldest first, for the way back. */
export interface SpanState {
  readonly choice: SpanChoice;
  readonly before: readonly SpanChoice[];
}

export const initialSpan: SpanState = { choice: { kind: 'live', spanMs: undefined }, before: [] };

/** Follows the time again, with the last while of a length. */
export const chooseLive = (spanMs: number | undefined): SpanState => ({
  choice: { kind: 'live', spanMs },
  before: [],
});

/** Follows the time as before the person looked at the past. */
export function backToLive({ choice, before }: SpanState): SpanState {
  const last = [...before, choice].findLast(({ kind }) => kind === 'live');
  return last?.kind === 'live' ? chooseLive(last.spanMs) : initialSpan;
}

/** Shows a span that was dragged over, whichever end comes first, without what is still to come of it. */
export function zoomTo(state: SpanState, { from, to }: Span, now: number): SpanState {
  return pushed(state, within(spanBetween(Math.min(from, now), Math.min(to, now)), now));
}

/** The choice before this one. */
export function goBack(state: SpanState): SpanState {
  const choice = state.before.at(-1);
  return choice === undefined ? backToLive(state) : { choice, before: state.before.slice(0, -1) };
}

/** Twice as much time around what is shown, as far as the past and the present reach. */
export function zoomOut(state: SpanState, { from, to }: Span, now: number): SpanState {
  const half = (to - from) / 2;
  return pushed(state, within({ from: from - half, to: to + half }, now));
}

/**
 * Half a span earlier or later, so that half of what was seen stays in view. The way back leads to before the first step.
 * A step that would pass the present ends there.
 */
export function stepBy(
  state: SpanState,
  shown: Span,
  direction: 'earlier' | 'later',
  now: number,
): SpanState {
  const by = ((shown.to - shown.from) / 2) * (direction === 'earlier' ? -1 : 1);
  const span = within({ from: shown.from + by, to: shown.to + by }, now);
  return state.choice.kind === 'live'
    ? pushed(state, span)
    : { choice: { kind: 'still', span }, before: state.before };
}

/** Span between two instants, widened around its middle where it is too short to show anything. */
export function spanBetween(one: number, other: number): Span {
  const missingMs = Math.max(0, SHORTEST_SPAN_MS - Math.abs(one - other));
  return { from: Math.min(one, other) - missingMs / 2, to: Math.max(one, other) + missingMs / 2 };
}

/** Whether a step in a direction shows anything else. */
export const canStep = ({ from, to }: Span, direction: 'earlier' | 'later', now: number): boolean =>
  direction === 'earlier' ? from > now - KEPT_MS : to < now;

/** A span of the same length, moved to where the history and the present are; cut where it is longer. */
function within({ from, to }: Span, now: number): Span {
  const spanMs = Math.min(to - from, KEPT_MS);
  const end = Math.max(Math.min(to, now), now - KEPT_MS + spanMs);
  return { from: end - spanMs, to: end };
}

function pushed({ choice, before }: SpanState, span: Span): SpanState {
  return { choice: { kind: 'still', span }, before: [...before, choice].slice(-MAX_STEPS_BACK) };
}
