import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { ChartRow } from './downsample.ts';
import { figures } from './figures.ts';
import type { StackTable, TableColumn } from './stack-table.ts';

/**
 * Figures of several servers as CSV by RFC 4180: a line for each server and bucket in which any of its figures was
 * measured, with the average and the peak of each; times are the beginnings of the buckets, by ISO 8601 in UTC.
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

/** What a stack shows as CSV: a line for each time, a column for each figure with its unit, empty where nothing was measured. */
export function stackCsv({ times, columns }: StackTable): string {
  const parts = columns.flatMap(partsOfColumn);
  const lines = times.map((time, index) => [
    new Date(time).toISOString(),
    ...parts.map(({ rows, of }) => csvNumber(rows[index]?.[of])),
  ]);
  return csvText([['time', ...parts.map(({ head }) => head)], ...lines]);
}

/** Columns of the file for one of the table: the least only where it says something. */
function partsOfColumn({ figure: { title, unit }, parts, rows }: TableColumn) {
  if (parts === undefined) return [{ head: `${title} (${unit})`, of: 'average' as const, rows }];
  return (['average', 'least', 'most'] as const).flatMap((of: keyof ChartRow & keyof typeof parts) =>
    parts[of] === undefined ? [] : [{ head: `${title} ${parts[of]} (${unit})`, of, rows }],
  );
}

/** Digits behind the point that say more than noise. */
const DECIMALS = 3;

/** Rows of cells as CSV by RFC 4180. */
const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

/** A figure as it was measured, not as it is best read; empty where it was not. */
const csvNumber = (figure: number | null | undefined): string =>
  figure == null ? '' : String(Number(figure.toFixed(DECIMALS)));

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
