import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './figures.ts';
import type { ChartRow } from './downsample.ts';
import type { Curve, CurveParts } from './series.ts';

/** Figures of one curve in the rows of a table. */
export interface TableColumn {
  readonly figure: FigureLook;
  /** Names of the average and the most of a row, and of the least where it says something. */
  readonly parts: CurveParts | undefined;
  /** One for each row of the table; undefined where nothing was measured. */
  readonly rows: readonly (ChartRow | undefined)[];
}

export interface StackTable {
  /** Starts of the rows' times, ascending. */
  readonly times: readonly number[];
  readonly columns: readonly TableColumn[];
}

const sampleParts: CurveParts = { average: 'average', least: 'min', most: 'max' };

/** What a stack draws as a table: a row for each bucket in which anything was measured. */
export function stackTable(curves: readonly (Curve | CallCurve)[], bucketMs: number): StackTable {
  const startOf = (at: number) => Math.floor(at / bucketMs) * bucketMs;
  const measured = curves.map((curve) => {
    const rows = new Map<number, ChartRow>();
    for (const row of curve.data.rows) {
      // The end of a block is where it is drawn down to zero, which nobody measured.
      const isMeasured = row.average !== null && (curve.figure.shape !== 'blocks' || row.average > 0);
      if (isMeasured) rows.set(startOf(row.at), row);
    }
    return rows;
  });
  const times = [...new Set(measured.flatMap((rows) => [...rows.keys()]))].sort((a, b) => a - b);
  const columns = curves.map((curve, index): TableColumn => {
    const { figure, data } = curve;
    const rows = measured[index] ?? new Map<number, ChartRow>();
    if (figure.shape === 'blocks') return { figure, parts: undefined, rows: heldRows(times, data.rows) };
    return {
      figure,
      parts: data.isBanded ? (curve.parts ?? sampleParts) : undefined,
      rows: times.map((time) => rows.get(time)),
    };
  });
  return { times, columns };
}

/** Row that is in force at each time, because a block holds its value until the next one. */
function heldRows(times: readonly number[], rows: readonly ChartRow[]): readonly (ChartRow | undefined)[] {
  let next = 0;
  let held: ChartRow | undefined;
  return times.map((time) => {
    for (let row = rows[next]; row !== undefined && row.at <= time; row = rows[next]) {
      held = row.average === null ? undefined : row;
      next += 1;
    }
    return held;
  });
}
