import { useViewportSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { SeriesQuery, SeriesReply } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import type { ComparedCurve } from '../charts/series.ts';
import { useSeries } from '../charts/use-series.ts';
import {
  averagesOf,
  isWhole,
  movedRows,
  useComparedWindow,
  type ComparedWindow,
} from '../charts/use-compared.ts';
import { usePast } from '../charts/use-past.ts';
import { useServices, useView } from '../services.ts';
import { stackRows } from '../overview/usage-stack.ts';
import { byMetric, spanUsage, type SpanUsage, type UsageMetric, usageMetrics } from './span-usage.ts';
import { MINUTE_MS } from '../../shared/units.ts';

const NO_SERVERS: readonly string[] = [];
const LEAST_BUCKETS = 60;
/** Window width in px per bucket, about three px of the plot, because denser spikes would hide each other. */
const WINDOW_PX = 5;
/** Step in which the number of buckets follows the width, so that resizing does not cause a query for each px. */
const STEP_BUCKETS = 60;
/** Maximum buckets of all servers together, because a larger answer would block the page while it is copied. */
const MOST_TOGETHER = 12_000;

/** Number of buckets to request, from the number of servers and the width of the app window in px. */
function bucketsFor(servers: number, windowPx: number): number {
  const seen = Math.floor(windowPx / WINDOW_PX / STEP_BUCKETS) * STEP_BUCKETS;
  return Math.max(LEAST_BUCKETS, Math.min(seen, Math.floor(MOST_TOGETHER / Math.max(1, servers))));
}

/** Use by all servers within a time window. */
export interface WindowUsage {
  readonly reply: SeriesReply;
  readonly of: Readonly<Record<UsageMetric, SpanUsage>>;
  /**
   * Averages of all servers in the time that is compared, or else before; absent where a fifth of either time is missing.
   */
  readonly before: Readonly<Partial<Record<UsageMetric, number>>>;
  /** Use of all servers together in the compared time, moved to the time shown; undefined while none is compared. */
  readonly compared: Readonly<Record<UsageMetric, ComparedCurve>> | undefined;
}

/** @param areAll whether `names` are all servers: then those that were removed since count as well */
export function useSpanUsage(
  window: TimeWindow,
  names: readonly string[],
  areAll: boolean,
): {
  readonly usage: WindowUsage | undefined;
  readonly error: ErrorReport | undefined;
  readonly retry: () => void;
} {
  const { width } = useViewportSize();
  const maxBuckets = bucketsFor(names.length, width);
  // The width is known only after the first render; a query before that would be made twice.
  const isAsked = names.length > 0 && width > 0;
  const { reply, isAnswered, error, askAgain } = useSeries({
    ...{ servers: isAsked ? names : NO_SERVERS, metrics: usageMetrics, window, maxBuckets },
    ...{ withOthers: areAll, withTotals: true },
  });
  const other = useComparedWindow(window);
  const { reply: otherReply, isAnswered: isOtherAnswered } = useSeries({
    ...{ servers: isAsked && other !== undefined ? names : NO_SERVERS, metrics: usageMetrics, maxBuckets },
    ...{ window: other?.window ?? window, withOthers: areAll, withTotals: true },
  });
  const before = useBefore(window, isAsked && other === undefined, areAll ? NO_SERVERS : names);
  const earlier = other === undefined ? before : isOtherAnswered ? otherReply : undefined;
  const since = useView((state) => state.kept?.oldestAt);
  const usage = useMemo(() => {
    if (!isAnswered) return undefined;
    const of = byMetric((metric) => spanUsage(reply, metric));
    const isTold =
      earlier !== undefined && [earlier, reply].every((one) => isWhole(one, one.absences, since));
    return {
      ...{ reply, of, before: isTold ? averagesOf(earlier.totals ?? [], null) : {} },
      compared: other && earlier && comparedCurves(earlier, other),
    };
  }, [reply, isAnswered, earlier, other, since]);
  return { usage, error, retry: askAgain };
}

function comparedCurves(reply: SeriesReply, { shiftMs, words }: ComparedWindow): WindowUsage['compared'] {
  return byMetric((metric) => {
    const rows = stackRows(spanUsage(reply, metric).stack, (step) => reply.from + step * reply.stepMs);
    return { rows: movedRows(rows.at(-1) ?? [], shiftMs), words };
  });
}

/** Totals of the time of the same length before. @param servers servers that count; all if there are none */
function useBefore(
  { from, to }: TimeWindow,
  isAsked: boolean,
  servers: readonly string[],
): SeriesReply | undefined {
  const { past } = useServices();
  // A live time moves all the time; the one before it is asked for anew each minute.
  const [start, end] = [2 * from - to, from].map((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS) as [
    number,
    number,
  ];
  const query = useMemo(
    (): SeriesQuery | undefined =>
      !isAsked || start < 0
        ? undefined
        : {
            ...{ from: start, to: end, servers: [...servers], metrics: [...usageMetrics], maxBuckets: 1 },
            ...{ withOthers: servers.length === 0, withTotals: true },
          },
    [isAsked, start, end, servers],
  );
  return usePast(past.series, query, 'the time before').reply;
}
