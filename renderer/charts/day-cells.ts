import { groupBy } from '../../shared/group-by.ts';
import type { EventKind, PanelEvent } from '../../shared/events.ts';
import { markOf, nameOf } from '../format/event-words.ts';
import { type Gap, knownGapAt, type TimeWindow } from './downsample.ts';

/** Number of cells in a day, and the length of each in ms. */
export const DAY_CELLS = 60;
export const CELL_MS = 24 * 60_000;

/** Worst state of a server within a cell, worst first. `off`: nothing is known, because the panel did not run. */
const cellKinds = ['failed', 'stalled', 'backoff', 'suspect', 'running', 'asleep', 'off', 'stopped'] as const;
export type CellKind = (typeof cellKinds)[number];

export interface DayCell extends TimeWindow {
  readonly kind: CellKind;
  /** Texts of the problems in the cell, each once. */
  readonly troubles: readonly string[];
}

/** State after an event, the state as which the event itself counts, and its text if it is a problem. */
interface Turn {
  readonly then: CellKind;
  readonly at?: CellKind;
  readonly words?: string;
}

const turns: ReadonlyMap<EventKind, Turn> = new Map<EventKind, Turn>([
  ['started', { then: 'running' }],
  ['restarted', { then: 'running' }],
  ['recovered', { then: 'running' }],
  ['stopped', { then: 'stopped' }],
  ['slept', { then: 'asleep' }],
  ['woken', { then: 'running' }],
  ['suspect', { then: 'suspect', words: 'suspect' }],
  ['stalled', { then: 'stalled', words: 'did not respond' }],
  ['ended', { then: 'backoff', words: 'restarted by the panel' }],
  ['restart-scheduled', { then: 'backoff' }],
  ['crashed', { then: 'backoff', at: 'failed', words: 'crashed' }],
  ['start-failed', { then: 'backoff', at: 'failed', words: 'failed to start' }],
  ['gave-up', { then: 'failed', words: 'given up' }],
  ['panel-started', { then: 'stopped' }],
]);

/** Kinds of events from which the cells are made: those of servers, and the starts of the panel. */
export const dayKinds: readonly EventKind[] = [...turns.keys()];

/** Events that began a run. Before any other event, the server was already running. */
const beginnings: ReadonlySet<EventKind> = new Set<EventKind>(['started', 'start-failed']);

/**
 * Returns the last 24 hours of one server, in cells with the worst state of each. @param events of this server and of the
 * panel, oldest first @param now current state of the server, which applies to the whole time if nothing happened
 */
export function dayCells(
  events: readonly PanelEvent[],
  gaps: readonly Gap[],
  from: number,
  now: CellKind,
): readonly DayCell[] {
  const changes = events.flatMap((event) => {
    const turn = event.detail.instance === undefined ? turns.get(event.kind) : undefined;
    return turn ? [{ ...turn, time: event.at }] : [];
  });
  const first = events.find(
    ({ kind, server, detail }) => server !== null && turns.has(kind) && detail.instance === undefined,
  );
  let state: CellKind = first === undefined ? now : beginnings.has(first.kind) ? 'stopped' : 'running';
  let next = 0;
  return Array.from({ length: DAY_CELLS }, (_, index) => {
    const window = { from: from + index * CELL_MS, to: from + (index + 1) * CELL_MS };
    const seen: CellKind[] = [knownGapAt(gaps, window.from) ? 'off' : state];
    const troubles = new Set<string>();
    for (let change = changes[next]; change && change.time < window.to; change = changes[(next += 1)]) {
      state = change.then;
      seen.push(change.at ?? state, state);
      if (change.words !== undefined) troubles.add(change.words);
    }
    return { ...window, kind: worst(seen), troubles: [...troubles] };
  });
}

/** Number of cells in a strip over a longer time. */
export const STRIP_CELLS = 120;

/**
 * Returns the problems of all given servers over a time window, counted in cells with the worst state of each. @param events
 * problems, oldest first, including those outside the window
 */
export function stripCells(
  events: readonly PanelEvent[],
  gaps: readonly Gap[],
  { from, to }: TimeWindow,
): readonly StripCell[] {
  const stepMs = (to - from) / STRIP_CELLS;
  const byCell = groupBy(events, ({ at }) => Math.floor((at - from) / stepMs));
  return Array.from({ length: STRIP_CELLS }, (_, index) => {
    const own = byCell.get(index) ?? [];
    const window = { from: from + index * stepMs, to: from + (index + 1) * stepMs };
    const marks = own.map(({ kind }) => markOf(kind));
    const names = [...groupBy(own, ({ kind }) => nameOf(kind))];
    return {
      ...window,
      kind: worst([...marks, knownGapAt(gaps, window.from) ? 'off' : 'running']),
      troubles: names.map(([name, of]) => (of.length === 1 ? name : `${name} × ${of.length}`)),
      events: own.length,
    };
  });
}

interface StripCell extends DayCell {
  /** Number of problems in the cell. */
  readonly events: number;
}

const worst = (seen: readonly string[]): CellKind => cellKinds.find((kind) => seen.includes(kind)) ?? 'off';
