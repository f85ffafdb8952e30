import type { SeriesReply } from '../../shared/history.ts';
import { spanTotals } from '../../shared/span-totals.ts';

/** An answer with its totals, as the history makes them of buckets with one look each. The panel ran all the time that anything was measured. */
export function withTotals(reply: Omit<SeriesReply, 'totals'>): SeriesReply {
  const measured = reply.series.map(({ server, metric, index, avg, max }) => ({
    server,
    metric,
    steps: index.map((step, place) => ({
      index: step,
      count: 1,
      sum: avg[place] ?? 0,
      max: max[place] ?? 0,
    })),
    inUnit: (figure: number) => figure,
  }));
  const steps = reply.series.flatMap(({ index }) => index);
  const at = (step: number) => reply.from + step * reply.stepMs;
  const presence =
    steps.length === 0 ? [] : [{ from: at(Math.min(...steps)), to: at(Math.max(...steps) + 1) }];
  const totals = spanTotals(measured, { ...reply, looks: new Map(), presence });
  return { ...reply, totals: [...totals] };
}
