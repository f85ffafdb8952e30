import type { Span } from '../../shared/history.ts';
import { KEPT_DAYS, KEPT_MS } from '../../shared/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../shared/units.ts';

/** Lengths of the live time window to choose from, shortest first. */
export const liveSpans = [
  { spanMs: 5 * MINUTE_MS, label: '5 min' },
  { spanMs: HOUR_MS, label: '1 h' },
  { spanMs: 6 * HOUR_MS, label: '6 h' },
  { spanMs: DAY_MS, label: '24 h' },
  { spanMs: WEEK_MS, label: '7 d' },
  { spanMs: 30 * DAY_MS, label: '30 d' },
  { spanMs: KEPT_MS, label: `${KEPT_DAYS} d` },
] as const;

/** Initial length in ms of the live time window in views of events. */
export const EVENTS_SPAN_MS = DAY_MS;

/** Returns the shortest live time window in ms that shows all data of the last hour, so that a short history is not squeezed. */
export function fittingSpanMs(oldestAt: number | undefined, now: number): number {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  return liveSpans.find(({ spanMs }) => age <= spanMs && spanMs <= HOUR_MS)?.spanMs ?? HOUR_MS;
}

/** Shortest possible span in ms: ten samples. */
const SHORTEST_SPAN_MS = 10_000;
/** Maximum number of earlier choices that are kept. */
const MAX_STEPS_BACK = 30;

/** Choice of the time span that the charts show. */
export type SpanChoice =
  /** Live time window, which ends now. If `spanMs` is undefined, each chart uses the length that fits its data. */
  | { readonly kind: 'live'; readonly spanMs: number | undefined }
  /** Fixed time window. */
  | { readonly kind: 'still'; readonly span: Span };

/** Current choice, and the earlier choices (oldest first) to which the user can go back. */
export interface SpanState {
  readonly choice: SpanChoice;
  readonly before: readonly SpanChoice[];
}

export const initialSpan: SpanState = { choice: { kind: 'live', spanMs: undefined }, before: [] };

/** Chooses a live time window with a length in ms. */
export const chooseLive = (spanMs: number | undefined): SpanState => ({
  choice: { kind: 'live', spanMs },
  before: [],
});

/** Returns to the live time window that was shown before the user went to the past. */
export function backToLive({ choice, before }: SpanState): SpanState {
  const last = [...before, choice].findLast(({ kind }) => kind === 'live');
  return last?.kind === 'live' ? chooseLive(last.spanMs) : initialSpan;
}

/** Milliseconds shown before and after a moment that the user goes to. */
const AROUND_MS = 30 * MINUTE_MS;

/** Shows half an hour before and after a moment. */
export const zoomAround = (state: SpanState, at: number, now: number): SpanState =>
  zoomTo(state, { from: at - AROUND_MS, to: at + AROUND_MS }, now);

/**
 * Shows a moment. A fixed span that contains the moment stays as it is. Otherwise, if the moment is less than half an hour ago,
 * the live window of the last hour is shown; if it is older, half an hour before and after it.
 */
export function showMoment(state: SpanState, at: number, now: number): SpanState {
  const { choice, before } = state;
  if (choice.kind === 'still' && at >= choice.span.from && at <= choice.span.to) return state;
  return at > now - AROUND_MS
    ? { choice: { kind: 'live', spanMs: HOUR_MS }, before: [...before, choice].slice(-MAX_STEPS_BACK) }
    : zoomAround(state, at, now);
}

/**
 * Zooms to a time span that the user selected by dragging in either direction. The part of the span in the future is left out.
 */
export function zoomTo(state: SpanState, { from, to }: Span, now: number): SpanState {
  return pushed(state, within(spanBetween(Math.min(from, now), Math.min(to, now)), now));
}

/** Returns to the choice before the current one. */
export function goBack(state: SpanState): SpanState {
  const choice = state.before.at(-1);
  return choice === undefined ? backToLive(state) : { choice, before: state.before.slice(0, -1) };
}

/** Doubles the span around its middle, but not beyond the start of the history or the present. */
export function zoomOut(state: SpanState, { from, to }: Span, now: number): SpanState {
  const half = (to - from) / 2;
  return pushed(state, within({ from: from - half, to: to + half }, now));
}

/**
 * Moves the span by its length, or by a part of its length. Several steps in a row count as one choice, so that `goBack`
 * returns to the choice before the first step. A step stops at the present.
 */
export function stepBy(
  state: SpanState,
  shown: Span,
  direction: 'earlier' | 'later',
  now: number,
  part = 1,
): SpanState {
  const by = (shown.to - shown.from) * part * (direction === 'earlier' ? -1 : 1);
  const span = within({ from: shown.from + by, to: shown.to + by }, now);
  return state.choice.kind === 'live'
    ? pushed(state, span)
    : { choice: { kind: 'still', span }, before: state.before };
}

/** Returns the span between two instants in either order. One that is too short is widened around its middle to the minimum. */
export function spanBetween(one: number, other: number): Span {
  const missingMs = Math.max(0, SHORTEST_SPAN_MS - Math.abs(one - other));
  return { from: Math.min(one, other) - missingMs / 2, to: Math.max(one, other) + missingMs / 2 };
}

/** True if a step in a direction changes the span. @param since start of the kept history, if it is known */
export const canStep = (
  { from, to }: Span,
  direction: 'earlier' | 'later',
  now: number,
  since = -Infinity,
): boolean => (direction === 'earlier' ? from > Math.max(since, now - KEPT_MS) : to < now);

/** Time with which charts compare the shown time: the time of the same length before it, or the same time a week earlier. */
export const comparedTimes = ['none', 'before', 'week'] as const;
export type ComparedTime = (typeof comparedTimes)[number];

/** Milliseconds from the compared time to the shown time; undefined if no time is compared. */
export const comparedShiftMs = (compared: ComparedTime, { from, to }: Span): number | undefined =>
  compared === 'none' ? undefined : compared === 'week' ? WEEK_MS : to - from;

/** Returns a time span moved into the history and out of the future. It keeps its length unless the history is shorter. */
function within({ from, to }: Span, now: number): Span {
  const spanMs = Math.min(to - from, KEPT_MS);
  const end = Math.max(Math.min(to, now), now - KEPT_MS + spanMs);
  return { from: end - spanMs, to: end };
}

function pushed({ choice, before }: SpanState, span: Span): SpanState {
  return { choice: { kind: 'still', span }, before: [...before, choice].slice(-MAX_STEPS_BACK) };
}
