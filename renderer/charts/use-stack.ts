import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { CallSeriesReply, SpanTotal } from '../../shared/history.ts';
import { useNow } from '../services.ts';
import { type Gap, gapsOf, type TimeWindow, withPastGaps } from './downsample.ts';
import { callCurves, type CallCurve } from './call-curves.ts';
import type { ChartFigure } from './figures.ts';
import { curvesOf, hasBefore, PAST_BUCKETS, type SampleCurve } from './series.ts';
import { useCalls } from './use-calls.ts';
import { endsIn } from './run-ends.ts';
import { useSeries } from './use-series.ts';

interface StackOptions {
  readonly server: ServerView;
  readonly window: TimeWindow;
  /** Events of this server and those that concern all servers, oldest first; at least those of the time window. */
  readonly events: readonly PanelEvent[];
  readonly figures: readonly ChartFigure[];
  /** True to load calls and the totals of the time window as well. */
  readonly isWhole?: boolean;
  /** False to request no data; true if left out. */
  readonly isAsked?: boolean;
}

const NO_SERVERS: readonly string[] = [];

/** Data that a stack draws. */
export interface Stack {
  readonly curves: readonly SampleCurve[];
  readonly called: readonly CallCurve[];
  /** Calls of the last hour; undefined until they have loaded. */
  readonly hourOfCalls: CallSeriesReply | undefined;
  readonly absences: readonly Gap[];
  /** Length in ms of the time that one row covers. */
  readonly bucketMs: number;
  /** True if the loaded data reaches back to the beginning of the time window. */
  readonly isCovered: boolean;
  /** True if all data of the time window has loaded. */
  readonly isKnown: boolean;
  /** Error of the last query of the history; undefined if it succeeded. */
  readonly error: ErrorReport | undefined;
  /** Peaks and averages over the time window; empty until they have loaded. */
  readonly totals: readonly SpanTotal[];
  readonly askAgain: () => void;
}

const NO_TOTALS: readonly SpanTotal[] = [];

/** Returns the curves of a server over a time window, with the other data that a stack draws. */
export function useStack(options: StackOptions): Stack {
  const { server, figures, window, events, isWhole = false, isAsked = true } = options;
  const { name } = server;
  const servers = useMemo(() => (isAsked ? [name] : NO_SERVERS), [name, isAsked]);
  const metrics = useMemo(() => figures.map(({ metric }) => metric), [figures]);
  const { reply, isAnswered, error, askAgain } = useSeries({
    ...{ servers, metrics, window, withTotals: isWhole },
    maxBuckets: PAST_BUCKETS,
  });
  const { stepMs } = reply;
  const absences = useMemo(() => withPastGaps(gapsOf(events), reply.absences), [events, reply.absences]);
  // Limits are read one by one, because every update from the panel contains them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = server.limits;
  const curves = useMemo(() => {
    const now = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return curvesOf(reply, name, figures, {
      ...{ window, absences },
      ends: endsIn(reply, name, events),
      limitsNow: { server: now, events },
    });
  }, [reply, name, figures, window, events, absences, maxMemoryMiB, maxCpuPercent, maxOpenFiles]);
  const isCovered = hasBefore(reply, name, window.from + 2 * stepMs);

  const calls = useCalls(isWhole && isAsked ? server : undefined, window);
  // An incomplete bucket is drawn only up to the current time. That time advances in steps that are small enough to be hardly
  // visible.
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
