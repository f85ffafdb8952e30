import { useMemo, useState } from 'react';
import type { SeriesQuery } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { usePast } from '../charts/use-past.ts';
import { SlotBook, slotsByPlace } from '../charts/colour-slots.ts';
import { usePanel, useServices } from '../services.ts';
import { comparedMetrics, comparisonOf } from './comparison.ts';

const MOST_BUCKETS = 400;

/** Charts of some servers within a window, and their colours; no charts until the first answer. */
export function useComparison(servers: readonly string[], { from, to }: TimeWindow) {
  const { past } = useServices();
  const [book] = useState(() => new SlotBook());
  const names = usePanel((state) => state.names);
  const query = useMemo(
    (): SeriesQuery => ({
      from,
      to,
      servers: [...servers],
      metrics: [...comparedMetrics],
      maxBuckets: MOST_BUCKETS,
      withTotals: true,
    }),
    [from, to, servers],
  );
  const { reply, error } = usePast(
    past.series,
    servers.length === 0 ? undefined : query,
    `compare ${servers.join()}`,
  );
  const slots = useMemo(() => book.assign([servers], slotsByPlace(names)), [book, servers, names]);
  const charts = useMemo(() => reply && comparisonOf(reply, servers), [reply, servers]);
  return { reply, charts, slots, error, retry: () => past.series.askAgain(query) };
}
