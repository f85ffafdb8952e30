import { useMemo } from 'react';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { LimitsInForce, SeriesQuery, SeriesReply, SpanTotal } from '../../shared/history.ts';
import { useHistoryFills, useNewestBucket, useNow, useServices } from '../services.ts';
import type { PastAnswer } from '../store/past-store.ts';
import { absencesOf, withPastAbsences, type Absence } from './absences.ts';
import { callCurvesOf, pastCallCurves, type CallCurve } from './call-curves.ts';
import { peakOf, toChartRows, type TimeWindow } from './downsample.ts';
import type { ChartFigure } from './figures.ts';
import { axisWithin, limitsChangedAt, limitsWithin } from './limits.ts';
import { processEndsOf, runEndsOf } from './run-ends.ts';
import { hasBefore, PAST_BUCKETS, pastCurves, type SampleCurve } from './series.ts';
import { bucketMsFor } from './time-axis.ts';
import { usePast } from './use-past.ts';

interface StackOptions {
  readonly server: ServerView;
  readonly window: TimeWindow;
  /** Events of this server and of all, oldest first, the window's among them. */
  readonly events: readonly PanelEvent[];
  readonly figures: readonly ChartFigure[];
  /** Calls of the last hour; undefined until they are known, and where nobody wants to see any. */
  readonly calls: readonly CallMinute[] | undefined;
  /** Whether to ask what the whole window came to, which the samples that are here do not tell as other views do. */
  readonly withTotals?: boolean;
}

/** All that a stack draws. */
export interface Stack {
  readonly curves: readonly SampleCurve[];
  readonly called: readonly CallCurve[];
  readonly absences: readonly Absence[];
  /** Time that a row stands for. */
  readonly bucketMs: number;
  /** What the history kept of that time; undefined where the curves are of the samples that are here. */
  readonly resolution: SeriesReply['resolution'] | undefined;
  /** Whether the samples that are here reach back to the beginning of the window. */
  readonly isCovered: boolean;
  /** Whether all that there is of this time is here. */
  readonly isKnown: boolean;
  /** Why the history could not be read. */
  readonly error: ErrorReport | undefined;
  /** What the figures came to over the window, once that is known. */
  readonly totals: readonly SpanTotal[];
  readonly askAgain: () => void;
}

const NO_CALLS: readonly CallMinute[] = [];
const NO_TOTALS: readonly SpanTotal[] = [];
/** Of what the samples that are here tell, nothing is taken from the history. */
const NOTHING: PastAnswer<SeriesReply> = { reply: undefined, error: undefined };

/**
 * Curves of a server over a window: from the samples of this launch where they reach back far enough, because these are
 * finest and cost no question, else from the history.
 */
export function useStack({
  server,
  figures,
  window,
  events,
  calls,
  withTotals = false,
}: StackOptions): Stack {
  const { history, past } = useServices();
  const { name } = server;
  const sampleMs = bucketMsFor(window.to - window.from);
  const tick = useNewestBucket(name, sampleMs);
  // A fill may bring older samples, which changes what the history is asked for.
  useHistoryFills(name);
  const told = useMemo(() => absencesOf(events), [events]);

  const oldestAt = history.oldestAt(name);
  const isCovered = oldestAt !== undefined && oldestAt <= window.from + 2 * sampleMs;
  const [seriesQuery, callQuery] = useMemo(() => {
    if (isCovered && !withTotals) return [];
    const span = {
      from: Math.max(0, Math.floor(window.from)),
      to: Math.ceil(window.to),
      maxBuckets: PAST_BUCKETS,
    };
    return [
      { ...span, servers: [name], metrics: figures.map(({ metric }) => metric), withTotals },
      isCovered ? undefined : { ...span, server: name },
    ];
  }, [isCovered, window, name, figures, withTotals]);
  const answer = usePast(past.series, seriesQuery, name);
  const { reply, error } = isCovered ? NOTHING : answer;
  const { reply: callReply, error: callError } = usePast(
    past.calls,
    calls === undefined ? undefined : callQuery,
    name,
  );
  const isPast = !isCovered && reply !== undefined && hasBefore(reply, name, oldestAt ?? Infinity);

  const keptLimits = useKeptLimits(name, events, window, !isPast);
  const sampled = useCurves({
    ...{ server, figures, window, bucketMs: sampleMs, events, absences: told, keptLimits, tick },
  });
  const absences = useMemo(() => withPastAbsences(told, reply?.absences ?? []), [told, reply]);
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = server.limits;
  const kept = useMemo(() => {
    if (!isPast) return undefined;
    const now = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return pastCurves(reply, name, figures, window, (figure) =>
      limitsWithin(figure, now, events, window, keptLimits),
    );
  }, [isPast, reply, name, figures, window, events, keptLimits, maxMemoryMiB, maxCpuPercent, maxOpenFiles]);

  const bucketMs = kept === undefined ? sampleMs : (reply?.stepMs ?? sampleMs);
  const knownTo = useNow((now) => Math.min(window.to, Math.ceil(now / sampleMs) * sampleMs));
  const keptCalls = isPast || (calls ?? NO_CALLS).length === 0 ? callReply : undefined;
  const called = useMemo(() => {
    const shown = { from: window.from, to: knownTo };
    return keptCalls === undefined
      ? callCurvesOf(calls ?? NO_CALLS, shown, absences)
      : pastCallCurves(keptCalls, shown, absences);
  }, [keptCalls, calls, window, knownTo, absences]);
  return {
    curves: kept ?? sampled,
    called,
    absences,
    bucketMs,
    resolution: kept === undefined ? undefined : reply?.resolution,
    isCovered,
    isKnown: isCovered || reply !== undefined,
    error: error ?? callError,
    totals: answer.reply?.totals ?? NO_TOTALS,
    askAgain: () => {
      if (seriesQuery !== undefined) past.series.askAgain(seriesQuery);
      if (callQuery !== undefined) past.calls.askAgain(callQuery);
    },
  };
}

interface CurvesOptions {
  readonly server: ServerView;
  readonly figures: readonly ChartFigure[];
  /** Window of time. Curves are made anew when it changes identity, and when the past was completed. */
  readonly window: TimeWindow;
  readonly bucketMs: number;
  /** Number that changes when there are new samples to show; a still window has none to wait for. */
  readonly tick?: number;
  /**
   * Events of this server and of all, oldest first: they tell when its runs ended, and which limits it had.
   */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly TimeWindow[];
  /** Limits that the history kept of this server, oldest first. */
  readonly keptLimits: readonly LimitsInForce[];
}

/** The curves of a server within a window, from the samples that are here. */
function useCurves(options: CurvesOptions): readonly SampleCurve[] {
  const { server, figures, window, bucketMs, events, absences, keptLimits, tick } = options;
  const { name, limits } = server;
  const { history } = useServices();
  const fills = useHistoryFills(name);
  // Limits are read one by one because every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = limits;
  return useMemo(() => {
    // Fills and ticks stand for the ring, which changes in place.
    void fills;
    void tick;
    const samples = history.since(name, window.from);
    const ends = [...runEndsOf(events), ...processEndsOf(samples)];
    const server = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return figures.map((figure) => {
      const rules = { absences, ends, isSparse: figure.isSparse === true };
      const data = toChartRows(samples, figure.pick, window, bucketMs, rules);
      const limits = limitsWithin(figure, server, events, window, keptLimits);
      return { figure, data, limits, axis: axisWithin(figure, peakOf(data.rows), limits) };
    });
  }, [
    history,
    name,
    figures,
    window,
    bucketMs,
    events,
    absences,
    keptLimits,
    fills,
    tick,
    maxMemoryMiB,
    maxCpuPercent,
    maxOpenFiles,
  ]);
}

/** The beginning of the question moves on in such steps, so that a window that moves does not ask anew at each of its own. */
const LIMITS_STEP_MS = 15 * 60_000;
const NO_LIMITS: readonly LimitsInForce[] = [];

/**
 * Limits that the history kept of the time before their last change, where a window reaches back behind that: the present
 * ones tell nothing of it, and events only where one was breached.
 * @param events of the server and of all, oldest first
 * @param isWanted whether curves are drawn of samples that are here: with those of the history come their limits
 */
function useKeptLimits(
  server: string,
  events: readonly PanelEvent[],
  window: TimeWindow,
  isWanted: boolean,
): readonly LimitsInForce[] {
  const { past } = useServices();
  const changedAt = useMemo(() => limitsChangedAt(events, server) ?? 0, [events, server]);
  const from = Math.max(0, Math.floor(window.from / LIMITS_STEP_MS) * LIMITS_STEP_MS);
  const to = Math.min(changedAt, Math.ceil(window.to / LIMITS_STEP_MS) * LIMITS_STEP_MS);
  const isAsked = isWanted && changedAt > window.from;
  const query = useMemo(
    (): SeriesQuery | undefined =>
      isAsked ? { from, to, servers: [server], metrics: ['memoryBytes'], maxBuckets: 1000 } : undefined,
    [isAsked, from, to, server],
  );
  const { reply } = usePast(past.series, query, `limits of ${server}`);
  return useMemo(
    () => reply?.limits.filter((limits) => limits.server === server) ?? NO_LIMITS,
    [reply, server],
  );
}
