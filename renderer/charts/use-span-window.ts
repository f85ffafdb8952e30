import { useCallback, useMemo, useState } from 'react';
import { useNow, useServices, useView } from '../services.ts';
import {
  backToLive,
  chooseLive,
  fittingSpanMs,
  goBack,
  stepBy,
  zoomOut,
  zoomTo,
  type SpanState,
} from '../store/span-choice.ts';
import type { TimeWindow } from './downsample.ts';
import { windowEndingAt } from './axis.ts';
import { useOldestAt } from './use-series.ts';
import { HOUR_MS } from '../../shared/units.ts';

/** Actions on the time window that a stack shows. */
export interface WindowControl {
  /** Keeps the time window from advancing for `HOLD_MS`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Whether the time window is fixed. */
  readonly isZoomed: boolean;
  readonly zoom: (window: TimeWindow) => void;
  readonly zoomOut: () => void;
  /** Shows the time window again that was shown before this one. */
  readonly back: () => void;
  /** Shows a live time window of this length; if undefined, of the length of the last live window. */
  readonly followTime: (spanMs?: number) => void;
  /** Moves the time window by its length, or by a part of it. */
  readonly step: (direction: 'earlier' | 'later', part?: number) => void;
}

export interface SpanWindow {
  readonly window: TimeWindow;
  /** Length of the live time window in ms; undefined if the time window is fixed. */
  readonly liveMs: number | undefined;
  /** Length in ms of the live time window to which the user can return. */
  readonly backMs: number;
  /** Start of the history where a live time window begins there, because it would be blank before. */
  readonly since: number | undefined;
  readonly control: WindowControl;
}

const NO_SERVERS: readonly string[] = [];

/**
 * Time window that a view of these servers shows, from the choice that all views share. @param unchosenMs length that is shown
 * until the user chooses one; one that fits the figures of the servers if left out
 */
export function useSpanWindow(servers: readonly string[], unchosenMs?: number): SpanWindow {
  const isChosen = useView(({ span: { choice } }) => choice.kind === 'live' && choice.spanMs !== undefined);
  const oldestAt = useOldestAt(isChosen ? NO_SERVERS : servers);
  /** Length of the live time window until the user chooses one. */
  const fittingMs = useNow((now) => unchosenMs ?? fittingSpanMs(oldestAt, now));
  const { clock, view } = useServices();
  const choice = useView((state) => state.span.choice);
  const lastMs = useView(({ span }) => {
    const { choice: last } = backToLive(span);
    return last.kind === 'live' ? last.spanMs : undefined;
  });
  const liveMs = choice.kind === 'live' ? (choice.spanMs ?? fittingMs) : undefined;
  const { window: live, hold, release } = useLiveWindow(liveMs ?? fittingMs);
  const recordedSince = useView((state) => state.kept?.oldestAt);
  const since =
    liveMs !== undefined && liveMs > HOUR_MS && (recordedSince ?? 0) > live.from ? recordedSince : undefined;
  const window = useMemo(
    () => (choice.kind === 'still' ? choice.span : beginningAt(since ?? live.from, live)),
    [choice, since, live],
  );
  const control = useMemo((): WindowControl => {
    const change = (next: (span: SpanState, now: number) => SpanState) => {
      release();
      // In the new time window the pointer is over another instant, which is set when the pointer moves.
      view.setState(({ span }) => ({ span: next(span, clock.getState().now), cursorAt: undefined }));
    };
    return {
      hold,
      release,
      isZoomed: choice.kind === 'still',
      zoom: (to) => change((span, now) => zoomTo(span, to, now)),
      zoomOut: () => change((span, now) => zoomOut(span, window, now)),
      back: () => change(goBack),
      followTime: (spanMs) =>
        change((span) => (spanMs === undefined ? backToLive(span) : chooseLive(spanMs))),
      step: (direction, part) => change((span, now) => stepBy(span, window, direction, now, part)),
    };
  }, [clock, view, choice.kind, window, hold, release]);
  return { window, liveMs, backMs: lastMs ?? fittingMs, since, control };
}

/** The time window from a later instant on, but at least its last hour. */
const beginningAt = (from: number, window: TimeWindow): TimeWindow =>
  from === window.from ? window : { from: Math.min(from, window.to - HOUR_MS), to: window.to };

/** Milliseconds for which a time window stands still after the last use of its cursor. */
const HOLD_MS = 30_000;
/** Minimum milliseconds between two renders that a moving pointer causes. */
const HOLD_STEP_MS = 5000;

interface Hold {
  readonly until: number;
  readonly to: number;
  readonly spanMs: number;
}

/** Live time window, and actions to stop and resume it. */
interface LiveWindow {
  readonly window: TimeWindow;
  /** Keeps the time window from advancing for `HOLD_MS`, because nothing may move under a cursor in use. */
  readonly hold: () => void;
  readonly release: () => void;
}

/** Time window of `spanMs` that advances in steps. Its object changes only with its edges. */
function useLiveWindow(spanMs: number): LiveWindow {
  const { clock } = useServices();
  const [held, setHeld] = useState<Hold>();
  const to = useNow((now) =>
    held !== undefined && held.spanMs === spanMs && now < held.until
      ? held.to
      : windowEndingAt(now, spanMs).to,
  );
  const window = useMemo(() => ({ from: to - spanMs, to }), [to, spanMs]);
  const hold = useCallback(() => {
    const until = clock.getState().now + HOLD_MS;
    setHeld((before) =>
      before?.to === to && before.spanMs === spanMs && until - before.until < HOLD_STEP_MS
        ? before
        : { until, to, spanMs },
    );
  }, [clock, spanMs, to]);
  const release = useCallback(() => setHeld(undefined), []);
  return { window, hold, release };
}
