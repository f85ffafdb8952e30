import { useMemo } from 'react';
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
import { useLiveWindow } from './use-live-window.ts';
import type { WindowControl } from './window-control.ts';

export interface SpanWindow {
  readonly window: TimeWindow;
  /** Length of the window that follows the time; undefined for one that stands still. */
  readonly liveMs: number | undefined;
  /** Length of the window that a person comes back to. */
  readonly backMs: number;
  readonly control: WindowControl;
}

/** The time that the charts of a server show, by the choice that all charts of the window share. */
export function useSpanWindow(server: string): SpanWindow {
  const { clock, history, view } = useServices();
  const choice = useView((state) => state.span.choice);
  const fittingMs = useNow((now) => fittingSpanMs(history.oldestAt(server), now));
  const lastMs = useView(({ span }) => {
    const { choice: last } = backToLive(span);
    return last.kind === 'live' ? last.spanMs : undefined;
  });
  const liveMs = choice.kind === 'live' ? (choice.spanMs ?? fittingMs) : undefined;
  const { window: live, hold, release } = useLiveWindow(liveMs ?? fittingMs);
  const window = choice.kind === 'still' ? choice.span : live;
  const control = useMemo((): WindowControl => {
    const change = (next: (span: SpanState, now: number) => SpanState) => {
      release();
      // The pointer is over another instant in the new window, and says so when it moves.
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
      step: (direction) => change((span, now) => stepBy(span, window, direction, now)),
    };
  }, [clock, view, choice.kind, window, hold, release]);
  return { window, liveMs, backMs: lastMs ?? fittingMs, control };
}
