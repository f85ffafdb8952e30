import { describe, expect, it } from 'vitest';
import { callCurves } from '../../../renderer/charts/call-curves.ts';
import { chartFigures } from '../../../renderer/charts/figures.ts';
import { stackCsv } from '../../../renderer/charts/series-csv.ts';
import { stackTable } from '../../../renderer/charts/stack-table.ts';
import type { Curve } from '../../../renderer/charts/series.ts';
import { callsOfMinutes } from './calls-of-minutes.ts';
import { MINUTE_MS } from '../../../shared/units.ts';
/** A full hour, in 2026. */
const START = Date.UTC(2026, 2, 4, 20);
const window = { from: START, to: START + 4 * MINUTE_MS };
const [memory, cpu] = chartFigures;

const curveOf = (
  figure: Curve['figure'],
  values: readonly (readonly [number, number, number] | null)[],
): Curve => ({
  figure,
  data: {
    isBanded: true,
    rows: values.map((value, index) => {
      const [average, least, most] = value ?? [null, null, null];
      return { at: START + (index + 0.5) * MINUTE_MS, average, least, most };
    }),
  },
  limits: [{ from: -Infinity, to: Infinity, value: 60, words: 'limit 60' }],
  axis: figure.axisFor(80),
});
const curves = [
  curveOf(memory!, [[100, 90, 120], null, [0.12345, 0, 1]]),
  {
    ...curveOf(cpu!, [null, null, [5, 5, 5]]),
    data: { ...curveOf(cpu!, [null, null, [5, 5, 5]]).data, isBanded: false },
  },
];

describe('a stack as a table', () => {
  it('has a row for each bucket in which anything was measured, at its start', () => {
    const { times, columns } = stackTable(curves, MINUTE_MS);
    expect(times).toEqual([START, START + 2 * MINUTE_MS]);
    expect(columns.map(({ rows }) => rows.map((row) => row?.average))).toEqual([
      [100, 0.12345],
      [undefined, 5],
    ]);
  });

  it('tells calls in every row as they are drawn: as many as in their minute, and none in between', () => {
    const called = callCurves(callsOfMinutes([{ at: START, calls: 3, errors: 0 }]), window, []);
    const { columns } = stackTable([...curves, ...called], MINUTE_MS);
    expect(columns[2]!.rows.map((row) => row?.average)).toEqual([3, 0]);
  });

  it('is a file of plain figures with their units, by time in UTC, empty where nothing was measured', () => {
    expect(stackCsv(stackTable(curves, MINUTE_MS)).split('\r\n')).toEqual([
      'time,Memory average (bytes),Memory min (bytes),Memory max (bytes),CPU (% of one core)',
      '2026-03-04T20:00:00.000Z,100,90,120,',
      '2026-03-04T20:02:00.000Z,0.123,0,1,5',
      '',
    ]);
  });

  it('names the halves of durations for what they are', () => {
    const minute = { at: START, calls: 1, errors: 0, durations: { p50Ms: 5, p95Ms: 9, maxMs: 9 } };
    const csv = stackCsv(stackTable(callCurves(callsOfMinutes([minute]), window, []), MINUTE_MS));
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'time,Calls (per minute),Call duration p50 (ms),Call duration p95 (ms)',
      '2026-03-04T20:00:00.000Z,1,5,9',
    ]);
  });
});
