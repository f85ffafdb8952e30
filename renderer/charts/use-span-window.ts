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
  /** True if the time window is fixed. */
  readonly isZoomed: boolean;
  readonly zoom: (window: TimeWindow) => void;
  readonly zoomOut: () => void;
  /** Returns to the time window that was shown before the current one. */
  readonly back: () => void;
  /** Shows a live time window of this length. If no length is given, the length of the last live time window is used. */
  readonly followTime: (spanMs?: number) => void;
  /** Moves the time window by its own length, or by the given part of it. */
  readonly step: (direction: 'earlier' | 'later', part?: number) => void;
}

export interface SpanWindow {
  readonly window: TimeWindow;
  /** Length of the live time window in ms; undefined if the time window is fixed. */
  readonly liveMs: number | undefined;
  /** Length in ms of the live time window to which the user can return. */
  readonly backMs: number;
  /** Start of the history, if a live time window is shortened to begin there because it would be blank before; else undefined. */
  readonly since: number | undefined;
  readonly control: WindowControl;
}

const NO_SERVERS: readonly string[] = [];

/**
 * Returns the time window that a view of these servers shows, based on the choice that all views share. @param unchosenMs
 * length that is shown until the user chooses one; if left out, a length that fits the recorded figures of the servers
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
      // The pointer is over another instant of the new time window, so the cursor's instant is cleared until the pointer moves.
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

/** Returns the time window shortened to begin at `from`, but with at least its last hour. */
const beginningAt = (from: number, window: TimeWindow): TimeWindow =>
  from === window.from ? window : { from: Math.min(from, window.to - HOUR_MS), to: window.to };

/** Milliseconds for which a time window does not advance after the last use of its cursor. */
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
  /** Keeps the time window from advancing for `HOLD_MS`, because nothing may move under a cursor that is being used. */
  readonly hold: () => void;
  readonly release: () => void;
}

/** Returns a time window of length `spanMs` that advances in steps. The object changes only when its start and end do. */
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
