import type { PanelEvent } from '../../shared/domain.ts';
import type { SeriesReply } from '../../shared/history.ts';
import { rowAt, type ChartRow, type TimeWindow } from '../charts/downsample.ts';
import { curvesOf, reachOf } from '../charts/series.ts';
import { endsIn } from '../charts/run-ends.ts';
import type { ValueAxis } from '../charts/axis.ts';
import { formatInstant } from '../format/moments.ts';
import { figures, type ChartFigure } from '../charts/figures.ts';

/** Figures by which servers are compared, in the order of the charts from top to bottom. */
export const comparedMetrics = ['memoryBytes', 'cpuPercent', 'openFiles', 'rttMs'] as const;

/** True if the chart of a figure is shown even if no server has a value. */
export const isAlwaysShown = (metric: ChartFigure['metric']): boolean =>
  metric === 'memoryBytes' || metric === 'cpuPercent';

/** Values of one figure of one server over a time span. */
interface CompareLine {
  readonly server: string;
  readonly rows: readonly ChartRow[];
  readonly average: number | undefined;
  /** Highest value; it can be above the drawn line, which shows averages. Undefined if not measured. */
  readonly peak: number | undefined;
}

/** Lines of one figure, all drawn on the same scale. */
export interface CompareChart {
  readonly figure: ChartFigure;
  /** Lines in the order of the servers; a server without values has no rows. */
  readonly lines: readonly CompareLine[];
  readonly axis: ValueAxis;
  /** Maximum distance in ms between the cursor and a row whose value is shown. */
  readonly reachMs: number;
}

interface Breaks {
  readonly absences: readonly TimeWindow[];
  /** Events of all servers, not only of those compared. */
  readonly events: readonly PanelEvent[];
}

/** Returns the charts that compare the servers. A figure without any values has no chart, unless it is always shown. */
export function comparisonOf(
  reply: SeriesReply,
  servers: readonly string[],
  { absences, events }: Breaks,
): readonly CompareChart[] {
  const compared = comparedMetrics.map((metric) => figures[metric]);
  const curves = servers.map((server) =>
    curvesOf(reply, server, compared, { window: reply, absences, ends: endsIn(reply, server, events) }),
  );
  return compared.flatMap((figure, place) => {
    const { metric } = figure;
    const lines = servers.map((server, index) => {
      const rows = curves[index]?.[place]?.data.rows ?? [];
      const total = reply.totals?.find((one) => one.server === server && one.metric === metric);
      return { server, rows, average: total?.average, peak: total?.peak };
    });
    const isKnown = lines.some(({ rows }) => rows.length > 0);
    if (!isKnown && !isAlwaysShown(metric)) return [];
    const highest = Math.max(0, ...lines.flatMap(({ rows }) => rows.map(({ average }) => average ?? 0)));
    const reachMs = figure.isSparse === true ? Infinity : reachOf(reply.stepMs);
    return [{ figure, lines, axis: figure.axisFor(highest), reachMs }];
  });
}

/** Value of a line at a point in time, or its newest value if `at` is undefined; undefined in a gap. */
export function figureOf({ rows }: CompareLine, at: number | undefined, reachMs: number): number | undefined {
  const row = at === undefined ? lastOf(rows) : rowAt(rows, at, reachMs);
  return row?.average ?? undefined;
}

/** Newest row with a value; undefined if there is none. */
export const lastOf = (rows: readonly ChartRow[]): ChartRow | undefined =>
  rows.findLast(({ average }) => average !== null);

/** Returns the server whose line is nearest to a value at a time, and the distance; undefined if no line has a value then. */
export function nearestLine({ lines, reachMs }: CompareChart, at: number, figure: number) {
  let nearest: { readonly server: string; readonly distance: number } | undefined;
  for (const line of lines) {
    const own = figureOf(line, at, reachMs);
    if (own === undefined) continue;
    const distance = Math.abs(own - figure);
    if (nearest === undefined || distance < nearest.distance) nearest = { server: line.server, distance };
  }
  return nearest;
}

/** Points in time at which the cursor can stop, oldest first. */
export const comparedInstants = (charts: readonly CompareChart[]): readonly number[] =>
  [
    ...new Set(
      charts.flatMap(({ lines }) =>
        lines.flatMap(({ rows }) => rows.flatMap(({ at, average }) => (average === null ? [] : [at]))),
      ),
    ),
  ].toSorted((a, b) => a - b);

/** Text for screen readers with the values of all charts at a point in time. */
export function comparedTextAt(charts: readonly CompareChart[], at: number, spanMs: number): string {
  const told = charts.map(({ figure, lines, reachMs }) => {
    const each = lines.map((line) => `${line.server} ${figure.short(figureOf(line, at, reachMs))}`);
    return `${figure.title}: ${each.join(', ')}`;
  });
  return [formatInstant(at, spanMs), ...told].join('; ');
}

/** Text for screen readers with the average and peak of each line in a chart. */
export function describeChart({ figure, lines }: CompareChart): string {
  const each = lines.map(
    ({ server, average, peak }) => `${server} average ${figure.short(average)}, peak ${figure.short(peak)}`,
  );
  return `${figure.title} over time: ${each.join('; ')}`;
}
