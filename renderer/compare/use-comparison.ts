import { useMemo, useState } from 'react';
import type { TimeWindow } from '../charts/downsample.ts';
import { SlotBook, slotsByPlace } from '../charts/colour-slots.ts';
import { PAST_BUCKETS } from '../charts/series.ts';
import { useSeries } from '../charts/use-series.ts';
import { usePanel } from '../services.ts';
import { comparedMetrics, comparisonOf } from './comparison.ts';

/** Charts of some servers within a window, and their colours; no charts until the first answer. */
export function useComparison(servers: readonly string[], window: TimeWindow) {
  const [book] = useState(() => new SlotBook());
  const names = usePanel((state) => state.names);
  const { reply, isAnswered, error, askAgain } = useSeries({
    ...{ servers, metrics: comparedMetrics, window, maxBuckets: PAST_BUCKETS, withTotals: true },
  });
  const slots = useMemo(() => book.assign([servers], slotsByPlace(names)), [book, servers, names]);
  const charts = useMemo(
    () => (isAnswered ? comparisonOf(reply, servers) : undefined),
    [reply, isAnswered, servers],
  );
  return { reply: isAnswered ? reply : undefined, charts, slots, error, retry: askAgain };
}
