import { expect, it } from 'vitest';
import {
  CELL_MS,
  DAY_CELLS,
  dayCells,
  STRIP_CELLS,
  stripCells,
  type CellKind,
} from '../../../renderer/charts/day-cells.ts';
import type { PanelEvent } from '../../../shared/events.ts';
import { anEvent } from '../builders.ts';

const FROM = 1_700_000_000_000;
let id = 0;
const event = (cell: number, kind: PanelEvent['kind'], server: string | null = 'one', detail: object = {}) =>
  anEvent(String((id += 1)), {
    at: FROM + cell * CELL_MS + 1000,
    kind,
    server,
    detail,
  });
const kinds = (
  events: readonly PanelEvent[],
  now: CellKind = 'running',
  gaps = [] as Parameters<typeof dayCells>[1],
) => dayCells(events, gaps, FROM, now).map(({ kind }) => kind);

it('a server to which nothing happened was all day what it is now', () => {
  expect(new Set(kinds([], 'running'))).toEqual(new Set(['running']));
  expect(kinds([], 'failed')).toHaveLength(DAY_CELLS);
  expect(new Set(kinds([], 'failed'))).toEqual(new Set(['failed']));
});

it('a cell has the worst of its time, also if it was over in a second', () => {
  const cells = dayCells(
    [event(10, 'crashed'), event(10, 'restarted'), event(20, 'stalled'), event(22, 'recovered')],
    [],
    FROM,
    'running',
  );
  expect(cells.map(({ kind }) => kind).slice(9, 24)).toEqual([
    ...['running', 'failed', ...Array<string>(9).fill('running')],
    ...['stalled', 'stalled', 'stalled', 'running'],
  ]);
  expect(cells[10]?.troubles).toEqual(['crashed']);
});

it('what began within the day was stopped before, and what gave up stays failed', () => {
  expect(kinds([event(30, 'started'), event(40, 'stopped')], 'stopped').slice(28, 43)).toEqual([
    ...['stopped', 'stopped', ...Array<string>(11).fill('running'), 'stopped', 'stopped'],
  ]);
  const failed = kinds([event(50, 'start-failed'), event(51, 'gave-up')], 'failed');
  expect(failed.slice(49, 53)).toEqual(['stopped', 'failed', 'failed', 'failed']);
});

it('a time without the panel is neither fine nor stopped', () => {
  const gap = { from: FROM + 5 * CELL_MS, to: FROM + 8 * CELL_MS, reason: 'not-running' as const };
  const cells = kinds([event(8, 'panel-started', null), event(8, 'started')], 'running', [gap]);
  expect(cells.slice(5, 10)).toEqual(['off', 'off', 'off', 'running', 'running']);
});

it('an end of a further process is none of the server', () => {
  expect(new Set(kinds([event(10, 'crashed', 'one', { instance: 'one#2' })]))).toEqual(new Set(['running']));
});

it('a strip counts the troubles of each part, and has the worst of them', () => {
  const events = [
    event(1, 'stalled'),
    event(1, 'crashed', 'two'),
    event(1, 'stalled', 'three'),
    event(40, 'suspect'),
  ];
  const gap = { from: FROM + 30 * CELL_MS, to: FROM + 31 * CELL_MS, reason: 'not-running' as const };
  const cells = stripCells(events, [gap], { from: FROM, to: FROM + STRIP_CELLS * CELL_MS });
  expect(cells[1]).toMatchObject({ kind: 'failed', events: 3, troubles: ['Not responding × 2', 'Crashed'] });
  expect([0, 30, 40].map((index) => cells[index]?.kind)).toEqual(['running', 'off', 'suspect']);
  expect(cells).toHaveLength(STRIP_CELLS);
});
