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
/** Window width in px per bucket, which is about three px of the plot. Denser spikes would hide each other. */
const WINDOW_PX = 5;
/** The number of buckets is a multiple of this, so that resizing the window does not cause a query for each px. */
const STEP_BUCKETS = 60;
/** Maximum number of buckets of all servers together, because a larger answer would block the page while it is copied. */
const MOST_TOGETHER = 12_000;

/** Number of buckets to request, calculated from the number of servers and the width of the app window in px. */
function bucketsFor(servers: number, windowPx: number): number {
  const seen = Math.floor(windowPx / WINDOW_PX / STEP_BUCKETS) * STEP_BUCKETS;
  return Math.max(LEAST_BUCKETS, Math.min(seen, Math.floor(MOST_TOGETHER / Math.max(1, servers))));
}

/** Use by all servers within a time window. */
export interface WindowUsage {
  readonly reply: SeriesReply;
  readonly of: Readonly<Record<UsageMetric, SpanUsage>>;
  /** Averages of all servers in the compared or, by default, preceding period; absent if a fifth of either period is missing. */
  readonly before: Readonly<Partial<Record<UsageMetric, number>>>;
  /** Use of all servers together in the compared period, with its times moved onto those shown; undefined if none is compared. */
  readonly compared: Readonly<Record<UsageMetric, ComparedCurve>> | undefined;
}

/** @param areAll whether `names` are all servers; if so, servers that have been removed since are included as well */
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
  // The width is known only after the first render. An earlier query would have to be repeated.
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

/** Totals of the preceding period of the same length. @param servers servers to include; all if the list is empty */
function useBefore(
  { from, to }: TimeWindow,
  isAsked: boolean,
  servers: readonly string[],
): SeriesReply | undefined {
  const { past } = useServices();
  // A live time range moves continuously, so its start and end are rounded to minutes. The preceding period is then requested
  // again only once a minute.
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
