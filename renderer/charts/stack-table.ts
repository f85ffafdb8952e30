import type { CallCurve } from './call-curves.ts';
import type { FigureLook } from './figures.ts';
import type { ChartRow } from './downsample.ts';
import type { Curve, CurveParts } from './series.ts';

/** Table column with the values of one curve. */
export interface TableColumn {
  readonly figure: FigureLook;
  /** Names of the average and maximum of each row, and of its minimum if shown; undefined if a row has a single value. */
  readonly parts: CurveParts | undefined;
  /** One entry per time in `times`; undefined where nothing was measured. */
  readonly rows: readonly (ChartRow | undefined)[];
}

export interface StackTable {
  /** Start time of each row's bucket, ascending. */
  readonly times: readonly number[];
  readonly columns: readonly TableColumn[];
}

const sampleParts: CurveParts = { average: 'average', least: 'min', most: 'max' };

/** Returns a table of the values in a stack of charts, with one row per bucket (time interval) that has any measurement. */
export function stackTable(curves: readonly (Curve | CallCurve)[], bucketMs: number): StackTable {
  const startOf = (at: number) => Math.floor(at / bucketMs) * bucketMs;
  const measured = curves.map((curve) => {
    const rows = new Map<number, ChartRow>();
    for (const row of curve.data.rows) {
      // The end of a block in a chart of blocks is a row with the value zero. That row is only for drawing and was not
      // measured.
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

/** Returns the row of a chart of blocks that applies at each time, because a block keeps its value until the next row. */
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
