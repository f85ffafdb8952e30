import { csvText } from '../../shared/csv.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { ChartRow } from './downsample.ts';
import { figures } from './figures.ts';
import type { StackTable, TableColumn } from './stack-table.ts';

/**
 * Returns the figures of several servers as CSV (RFC 4180). Each line is one server in one bucket (time interval) with any
 * measurement, with the average and peak of each figure. Times are the beginnings of the buckets (ISO 8601, UTC).
 */
export function seriesCsv({ from, stepMs, series }: SeriesReply, metrics: readonly HistoryMetric[]): string {
  const servers = [...new Set(series.map(({ server }) => server))];
  const head = ['time', 'server', ...metrics.flatMap(headsOf)];
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

const headsOf = (metric: HistoryMetric): readonly string[] =>
  ['average', 'peak'].map((part) => `${part} ${figures[metric].column}`);

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

/** Returns a stack of charts as CSV: a line per time, columns per figure, with its unit; empty if nothing was measured. */
export function stackCsv({ times, columns }: StackTable): string {
  const parts = columns.flatMap(partsOfColumn);
  const lines = times.map((time, index) => [
    new Date(time).toISOString(),
    ...parts.map(({ rows, of }) => csvNumber(rows[index]?.[of])),
  ]);
  return csvText([['time', ...parts.map(({ head }) => head)], ...lines]);
}

/**
 * Returns the CSV columns for one column of the table: one for a single value; otherwise average, minimum and maximum, each
 * only if `parts` has a name for it.
 */
function partsOfColumn({ figure: { title, unit }, parts, rows }: TableColumn) {
  if (parts === undefined) return [{ head: `${title} (${unit})`, of: 'average' as const, rows }];
  return (['average', 'least', 'most'] as const).flatMap((of: keyof ChartRow & keyof typeof parts) =>
    parts[of] === undefined ? [] : [{ head: `${title} ${parts[of]} (${unit})`, of, rows }],
  );
}

/** Maximum number of digits after the decimal point. */
const DECIMALS = 3;

/** Formats a raw value; returns an empty text if nothing was measured. */
const csvNumber = (figure: number | null | undefined): string =>
  figure == null ? '' : String(Number(figure.toFixed(DECIMALS)));
