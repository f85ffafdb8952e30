import { groupBy } from '../../shared/group-by.ts';
import type { EventKind, PanelEvent } from '../../shared/events.ts';
import { markOf, nameOf } from '../format/event-words.ts';
import { type Gap, knownGapAt, type TimeWindow } from './downsample.ts';

/** Number of cells in a day, and the length of each in ms. */
export const DAY_CELLS = 60;
export const CELL_MS = 24 * 60_000;

/**
 * Kinds of cells, worst first. A cell shows the worst state that the server had in its time. `off` means that nothing is known,
 * because the panel did not run.
 */
const cellKinds = ['failed', 'stalled', 'backoff', 'suspect', 'running', 'asleep', 'off', 'stopped'] as const;
export type CellKind = (typeof cellKinds)[number];

export interface DayCell extends TimeWindow {
  readonly kind: CellKind;
  /** Texts of the problems in the cell, each once. */
  readonly troubles: readonly string[];
}

/**
 * How an event changes the bar: the state after the event (`then`), the state that the event itself counts as (`at`, if
 * different), and its text if it is a problem.
 */
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

/** Kinds of events from which the cells are computed: those that change the state of a server, and starts of the panel. */
export const dayKinds: readonly EventKind[] = [...turns.keys()];

/** Events that begin a run of a server. If the day's first event is one of them, the server was stopped before, else running. */
const beginnings: ReadonlySet<EventKind> = new Set<EventKind>(['started', 'start-failed']);

/**
 * Returns the cells of one server's last 24 hours. Each cell has the worst state that the server had in its time. @param events
 * events of this server and of the panel, oldest first @param now the server's current state, which is used for the whole time
 * if there were no events
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

/** Number of cells in the strip of problems, which may cover a longer time than a day. */
export const STRIP_CELLS = 120;

/**
 * Returns the cells of a time window. Each cell has the worst problem of all servers in its time, and the number of problems.
 * @param events problems, oldest first; may include some outside the window
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
