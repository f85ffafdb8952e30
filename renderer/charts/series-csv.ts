import { csvNumber, csvText } from '../format/csv.ts';
import { figures } from './figures.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';

/**
 * Figures of several servers as CSV by RFC 4180: a line for each server and bucket in which any of its figures was
 * measured, with the average and the peak of each; times are the beginnings of the buckets, by ISO 8601 in UTC.
 */
export function seriesCsv({ from, stepMs, series }: SeriesReply, metrics: readonly HistoryMetric[]): string {
  const servers = [...new Set(series.map(({ server }) => server))];
  const head = ['time', 'server', ...metrics.flatMap((metric) => partsOf(figures[metric].column))];
  const lines = servers.flatMap((server) => {
    const own = metrics.map((metric) => cellsByStep(series, server, metric));
    const steps = [...new Set(own.flatMap((cells) => [...cells.keys()]))].toSorted((a, b) => a - b);
    return steps.map((step) => [
      new Date(from + step * stepMs).toISOString(),
      server,
      ...own.flatMap((cells) => cells.get(step) ?? ['', '']),
    ]);
  });
  return csvText([head, ...lines]);
}

const partsOf = (heading: string): readonly string[] => [`average ${heading}`, `peak ${heading}`];

function cellsByStep(
  series: SeriesReply['series'],
  server: string,
  metric: HistoryMetric,
): ReadonlyMap<number, readonly string[]> {
  const own = series.find((one) => one.server === server && one.metric === metric);
  if (own === undefined) return new Map();
  return new Map(
    own.index.map((step, place) => [step, [csvNumber(own.avg[place]), csvNumber(own.max[place])]] as const),
  );
}
