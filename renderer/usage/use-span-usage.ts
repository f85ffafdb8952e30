import { useMemo, useState } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { SeriesQuery, SeriesReply } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { usePast } from '../charts/use-past.ts';
import { SlotBook, type ColourSlots } from '../overview/colour-slots.ts';
import { usePanel, useServices } from '../services.ts';
import { spanUsage, type SpanUsage } from './span-usage.ts';
import { usageMetrics, type UsageMetric } from './usage-metrics.ts';

/** Buckets of an answer about a few servers: some two pixels each. */
const MOST_BUCKETS = 360;
const LEAST_BUCKETS = 60;
/** Buckets of all servers together, because an answer of more would hold up the window while it is copied. */
const MOST_TOGETHER = 12_000;

/** Number of buckets to ask for, by the number of servers. */
export const bucketsFor = (servers: number): number =>
  Math.max(LEAST_BUCKETS, Math.min(MOST_BUCKETS, Math.floor(MOST_TOGETHER / Math.max(1, servers))));

/** What all servers used within a window; undefined until the first answer. */
export interface WindowUsage {
  readonly reply: SeriesReply;
  readonly of: Readonly<Record<UsageMetric, SpanUsage>>;
  /** Colour by server, the same in all charts. */
  readonly slots: ColourSlots;
}

export function useSpanUsage({ from, to }: TimeWindow): {
  readonly usage: WindowUsage | undefined;
  readonly error: ErrorReport | undefined;
  readonly retry: () => void;
} {
  const { past } = useServices();
  const names = usePanel((state) => state.names);
  const [book] = useState(() => new SlotBook());
  const query = useMemo(
    (): SeriesQuery => ({
      from,
      to,
      servers: [...names],
      metrics: [...usageMetrics],
      maxBuckets: bucketsFor(names.length),
    }),
    [from, to, names],
  );
  const { reply, error } = usePast(past.series, names.length === 0 ? undefined : query, 'usage');
  const usage = useMemo(() => {
    if (reply === undefined) return undefined;
    const of = {
      memoryBytes: spanUsage(reply, 'memoryBytes'),
      cpuPercent: spanUsage(reply, 'cpuPercent'),
    };
    const stacks = usageMetrics.map((metric) => of[metric].bands.flatMap(({ server }) => server ?? []));
    return { reply, of, slots: book.assign(stacks) };
  }, [reply, book]);
  return { usage, error, retry: () => past.series.askAgain(query) };
}
