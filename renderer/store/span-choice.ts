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

/** Length in ms of the live time window in which views of events begin. */
export const EVENTS_SPAN_MS = DAY_MS;

/**
 * Shortest length in ms of a live time window that shows all data of the last hour, so that a short history is not squeezed
 * into the right edge.
 */
export function fittingSpanMs(oldestAt: number | undefined, now: number): number {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  return liveSpans.find(({ spanMs }) => age <= spanMs && spanMs <= HOUR_MS)?.spanMs ?? HOUR_MS;
}

/** Shortest possible span in ms: ten samples. */
const SHORTEST_SPAN_MS = 10_000;
/** Maximum earlier choices that are kept. */
const MAX_STEPS_BACK = 30;

/** Choice of the time span that the charts show. */
export type SpanChoice =
  /** Live time window, which ends now. If `spanMs` is undefined, each chart uses the length that fits its data. */
  | { readonly kind: 'live'; readonly spanMs: number | undefined }
  /** Fixed time window. */
  | { readonly kind: 'still'; readonly span: Span };

/** Current choice, and the earlier choices, oldest first, to go back to. */
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

/** Milliseconds shown on either side of a moment that somebody goes to. */
const AROUND_MS = 30 * MINUTE_MS;

/** Shows half an hour on either side of a moment. */
export const zoomAround = (state: SpanState, at: number, now: number): SpanState =>
  zoomTo(state, { from: at - AROUND_MS, to: at + AROUND_MS }, now);

/** Shows a moment: in the fixed span that has it, in the last hour that goes on, or with half an hour on either side. */
export function showMoment(state: SpanState, at: number, now: number): SpanState {
  const { choice, before } = state;
  if (choice.kind === 'still' && at >= choice.span.from && at <= choice.span.to) return state;
  return at > now - AROUND_MS
    ? { choice: { kind: 'live', spanMs: HOUR_MS }, before: [...before, choice].slice(-MAX_STEPS_BACK) }
    : zoomAround(state, at, now);
}

/** Zooms to a time span selected by dragging in either direction; leaves out its part in the future. */
export function zoomTo(state: SpanState, { from, to }: Span, now: number): SpanState {
  return pushed(state, within(spanBetween(Math.min(from, now), Math.min(to, now)), now));
}

/** Returns to the choice before the current one. */
export function goBack(state: SpanState): SpanState {
  const choice = state.before.at(-1);
  return choice === undefined ? backToLive(state) : { choice, before: state.before.slice(0, -1) };
}

/** Doubles the span around its middle, limited to the history and the present. */
export function zoomOut(state: SpanState, { from, to }: Span, now: number): SpanState {
  const half = (to - from) / 2;
  return pushed(state, within({ from: from - half, to: to + half }, now));
}

/**
 * Moves the span by its length, or by a part of it. Going back afterwards leads to the choice before several such steps in a
 * row. A step stops at the present.
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

/** Span between two instants in either order, widened around its middle to the shortest possible span. */
export function spanBetween(one: number, other: number): Span {
  const missingMs = Math.max(0, SHORTEST_SPAN_MS - Math.abs(one - other));
  return { from: Math.min(one, other) - missingMs / 2, to: Math.max(one, other) + missingMs / 2 };
}

/** Whether a step in a direction changes the span. @param since start of what is kept, if it is known */
export const canStep = (
  { from, to }: Span,
  direction: 'earlier' | 'later',
  now: number,
  since = -Infinity,
): boolean => (direction === 'earlier' ? from > Math.max(since, now - KEPT_MS) : to < now);

/** Time with which charts compare the one shown: the time of the same length before it, or the same time a week earlier. */
export const comparedTimes = ['none', 'before', 'week'] as const;
export type ComparedTime = (typeof comparedTimes)[number];

/** Milliseconds from the compared time to the one shown; undefined if none is compared. */
export const comparedShiftMs = (compared: ComparedTime, { from, to }: Span): number | undefined =>
  compared === 'none' ? undefined : compared === 'week' ? WEEK_MS : to - from;

/**
 * Time span of the same length, moved so that it is within the history and not in the future; shortened if the history is
 * shorter.
 */
function within({ from, to }: Span, now: number): Span {
  const spanMs = Math.min(to - from, KEPT_MS);
  const end = Math.max(Math.min(to, now), now - KEPT_MS + spanMs);
  return { from: end - spanMs, to: end };
}

function pushed({ choice, before }: SpanState, span: Span): SpanState {
  return { choice: { kind: 'still', span }, before: [...before, choice].slice(-MAX_STEPS_BACK) };
}
