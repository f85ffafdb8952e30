import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { CallSeriesReply, SpanTotal } from '../../shared/history.ts';
import { useNow } from '../services.ts';
import { gapsOf, withPastGaps, type Gap } from './gaps.ts';
import { callCurves, type CallCurve } from './call-curves.ts';
import type { TimeWindow } from './downsample.ts';
import type { ChartFigure } from './figures.ts';
import { limitsWithin } from './limits.ts';
import { curvesOf, hasBefore, PAST_BUCKETS, type SampleCurve } from './series.ts';
import { useCalls } from './use-calls.ts';
import { endsIn } from './run-ends.ts';
import { useSeries } from './use-series.ts';

interface StackOptions {
  readonly server: ServerView;
  readonly window: TimeWindow;
  /** Events of this server and of all, oldest first, the window's among them. */
  readonly events: readonly PanelEvent[];
  readonly figures: readonly ChartFigure[];
  /** Whether to ask for calls as well, and what the whole window came to. */
  readonly isWhole?: boolean;
}

/** All that a stack draws. */
export interface Stack {
  readonly curves: readonly SampleCurve[];
  readonly called: readonly CallCurve[];
  /** Calls of the last hour; undefined until they are known. */
  readonly hourOfCalls: CallSeriesReply | undefined;
  readonly absences: readonly Gap[];
  /** Time that a row stands for. */
  readonly bucketMs: number;
  /** Whether what is here reaches back to the beginning of the window. */
  readonly isCovered: boolean;
  /** Whether all that there is of this time is here. */
  readonly isKnown: boolean;
  /** Why the history could not be read. */
  readonly error: ErrorReport | undefined;
  /** What the figures came to over the window, once that is known. */
  readonly totals: readonly SpanTotal[];
  readonly askAgain: () => void;
}

const NO_TOTALS: readonly SpanTotal[] = [];

/** Curves of a server over a window. */
export function useStack({ server, figures, window, events, isWhole = false }: StackOptions): Stack {
  const { name } = server;
  const servers = useMemo(() => [name], [name]);
  const metrics = useMemo(() => figures.map(({ metric }) => metric), [figures]);
  const { reply, isAnswered, error, askAgain } = useSeries({
    ...{ servers, metrics, window, withTotals: isWhole },
    maxBuckets: PAST_BUCKETS,
  });
  const { stepMs } = reply;
  const absences = useMemo(() => withPastGaps(gapsOf(events), reply.absences), [events, reply.absences]);
  // Limits are read one by one because every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = server.limits;
  const curves = useMemo(() => {
    const now = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return curvesOf(reply, name, figures, {
      ...{ window, absences },
      ends: endsIn(reply, name, events),
      limitsNow: (figure, kept) => limitsWithin(figure, now, events, window, kept),
    });
  }, [reply, name, figures, window, events, absences, maxMemoryMiB, maxCpuPercent, maxOpenFiles]);
  const isCovered = hasBefore(reply, name, window.from + 2 * stepMs);

  const calls = useCalls(isWhole ? server : undefined, window);
  // Of a bucket that fills, no more is drawn than has passed, in steps that are hardly seen.
  const paceMs = Math.ceil((window.to - window.from) / 360);
  const knownTo = useNow((now) => Math.min(window.to, Math.ceil(now / paceMs) * paceMs));
  const called = useMemo(
    () =>
      calls.shown === undefined ? [] : callCurves(calls.shown, { from: window.from, to: knownTo }, absences),
    [calls.shown, window, knownTo, absences],
  );
  return {
    ...{ curves, called, absences, bucketMs: stepMs, isCovered },
    isKnown: isAnswered || isCovered,
    error: error ?? calls.error,
    hourOfCalls: calls.hour,
    totals: reply.totals ?? NO_TOTALS,
    askAgain: () => {
      askAgain();
      calls.askAgain();
    },
  };
}
