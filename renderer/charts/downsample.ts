import type { PanelEvent } from '../../shared/domain.ts';
import type { Span } from '../../shared/history.ts';

/** One point of a curve. In a gap, `average`, `least` and `most` are null. */
export interface ChartRow {
  readonly at: number;
  readonly average: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

export interface ChartRows {
  readonly rows: readonly ChartRow[];
  /** Whether a row represents several samples, so that the band between `least` and `most` has a meaning. */
  readonly isBanded: boolean;
}

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/**
 * Doubles each row that has no neighbour on either side (only gaps or the end of the data), because a line from a point to
 * itself is invisible. The two copies are one bucket apart. Near other rows or the edges of the time window they are closer, so
 * that the times stay in order and nothing is drawn outside the plot.
 */
export function withStubs(
  rows: readonly ChartRow[],
  bucketMs: number,
  { from: first, to: last }: TimeWindow,
): readonly ChartRow[] {
  const within = (at: number) => Math.min(Math.max(at, first), last);
  return rows.flatMap((row, position) => {
    const [before, after] = [rows[position - 1], rows[position + 1]];
    const isAlone = (before?.average ?? null) === null && (after?.average ?? null) === null;
    if (row.average === null || !isAlone) return [row];
    const from = Math.max(row.at - bucketMs / 2, before?.at ?? -Infinity);
    const to = Math.min(row.at + bucketMs / 2, after?.at ?? Infinity);
    return [
      { ...row, at: within(from) },
      { ...row, at: within(to) },
    ];
  });
}

/** Returns the row nearest to an instant; undefined if no row is within `reachMs`. */
export function rowAt(rows: readonly ChartRow[], at: number, reachMs: number): ChartRow | undefined {
  let nearest: ChartRow | undefined;
  for (const row of rows) {
    if (row.average === null || Math.abs(row.at - at) > reachMs) continue;
    if (nearest === undefined || Math.abs(row.at - at) < Math.abs(nearest.at - at)) nearest = row;
  }
  return nearest;
}

/**
 * Returns the greatest value of a curve; undefined if the curve has no value. @param latest value shown beside the curve,
 * which may be newer than the curve's rows
 */
export function peakOf(rows: readonly ChartRow[], latest?: number): number | undefined {
  let peak = latest;
  for (const { most } of rows) if (most !== null && (peak === undefined || most > peak)) peak = most;
  return peak;
}

/** Time span in which nothing was measured, with the reason. */
export interface Gap extends TimeWindow {
  readonly reason: 'asleep' | 'not-running';
}

export const absenceWords: Readonly<Record<Gap['reason'], string>> = {
  asleep: 'computer asleep',
  'not-running': 'panel not running',
};

/** Returns the gaps that events report, in which the machine slept or the panel did not run. Oldest first. */
export function gapsOf(events: readonly PanelEvent[]): readonly Gap[] {
  return events.flatMap(({ kind, at, detail }) => {
    if (kind !== 'system-resumed' && kind !== 'panel-started') return [];
    const lengthMs = (kind === 'system-resumed' ? detail.sleptMs : detail.absentMs) ?? 0;
    const reason = kind === 'system-resumed' ? 'asleep' : 'not-running';
    return lengthMs <= 0 ? [] : [{ from: at - lengthMs, to: at, reason }];
  });
}

/** Adds the gaps in the history to those reported by events; a gap that is in both appears once. */
export function withPastGaps(told: readonly Gap[], past: readonly Span[]): readonly Gap[] {
  if (past.length === 0) return told;
  const asleep = told.filter(({ reason }) => reason === 'asleep');
  const untold = told.filter(
    ({ from, to, reason }) =>
      reason === 'not-running' && !past.some((span) => span.from < to && span.to > from),
  );
  const known = past.map(({ from, to }) => ({ from, to, reason: 'not-running' as const }));
  return [...asleep, ...untold, ...known].sort((a, b) => a.from - b.from);
}

/** Returns the gap at an instant; undefined if there is none. */
export const knownGapAt = (absences: readonly Gap[], at: number): Gap | undefined =>
  absences.find(({ from, to }) => from <= at && at < to);
