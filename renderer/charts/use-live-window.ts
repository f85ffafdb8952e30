import { useCallback, useMemo, useState } from 'react';
import { useNow, useServices } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { windowEndingAt } from './time-axis.ts';

/** Time that a window stands still after the last touch of its cursor. */
const HOLD_MS = 30_000;
/** Least time between two renderings because of a moving pointer. */
const HOLD_STEP_MS = 5000;

interface Hold {
  readonly until: number;
  readonly to: number;
  readonly spanMs: number;
}

/** Window over the last while, and how to hold it. */
export interface LiveWindow {
  readonly window: TimeWindow;
  /** Keeps the window where it is for a while, because nothing may move under a cursor that is being used. */
  readonly hold: () => void;
  readonly release: () => void;
}

/** Window of `spanMs` that moves on in steps. Its object changes only when it does. */
export function useLiveWindow(spanMs: number): LiveWindow {
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
