import { useMemo } from 'react';
import type { TimeWindow } from '../charts/downsample.ts';
import { useLiveWindow } from '../charts/use-live-window.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { backToLive, chooseLive, goBack, liveSpans, zoomTo } from '../store/span-choice.ts';

const [shortest, hour] = liveSpans;

/** Time that a view shows, as it was chosen for all charts of the window, and what may be done with it. */
export interface SpanWindow {
  readonly window: TimeWindow;
  /** Length of the live window; undefined where the span stands still. */
  readonly liveMs: number | undefined;
  /** Keeps a live window where it is while its cursor is used. */
  readonly hold: () => void;
  readonly release: () => void;
  readonly chooseLive: (spanMs: number) => void;
  readonly zoom: (window: TimeWindow) => void;
  /** One zoom back. */
  readonly back: () => void;
  readonly backToLive: () => void;
}

/** Window of the chosen span; where nobody chose, the last hour, or five minutes while there is no more. */
export function useSpanWindow(): SpanWindow {
  const { clock, history, view } = useServices();
  const { choice } = useView(({ span }) => span);
  const names = usePanel((state) => state.names);
  const fittingMs = useNow((now) => {
    const oldest = names.map((name) => history.oldestAt(name) ?? now);
    return now - Math.min(now, ...oldest) <= shortest.spanMs ? shortest.spanMs : hour.spanMs;
  });
  const liveMs = choice.kind === 'live' ? (choice.spanMs ?? fittingMs) : undefined;
  const live = useLiveWindow(liveMs ?? hour.spanMs);
  const actions = useMemo(
    () => ({
      chooseLive: (spanMs: number) => view.setState({ span: chooseLive(spanMs) }),
      zoom: (window: TimeWindow) =>
        view.setState(({ span }) => ({ span: zoomTo(span, window, clock.getState().now) })),
      back: () => view.setState(({ span }) => ({ span: goBack(span) })),
      backToLive: () => view.setState(({ span }) => ({ span: backToLive(span) })),
    }),
    [view, clock],
  );
  const { hold, release } = live;
  return {
    window: choice.kind === 'still' ? choice.span : live.window,
    liveMs,
    hold,
    release,
    ...actions,
  };
}
