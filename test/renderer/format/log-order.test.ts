import { describe, expect, it } from 'vitest';
import { toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { describeFold } from '../../../renderer/format/incident-words.ts';
import { groupIncidents, latestOf } from '../../../renderer/format/incidents.ts';
import {
  countNewer,
  dayRows,
  entriesOf,
  foldAlike,
  newestFirst,
  olderThan,
  problemOf,
  spanOf,
} from '../../../renderer/format/log-order.ts';
import { MINUTE_MS } from '../../../shared/units.ts';
let count = 0;
const at = (
  seconds: number,
  kind: PanelEvent['kind'],
  server: string | null = 'one',
  detail = {},
): PanelEvent => ({ id: `e${(count += 1)}`, at: seconds * 1000, server, ...toldEvent(kind, detail) });

const entriesFrom = (...events: PanelEvent[]) => newestFirst(groupIncidents(events));
const itemsFrom = (...events: PanelEvent[]) => foldAlike(entriesFrom(...events));
/** Items in words: a fold by its servers, an entry by its kind. */
const shapes = (...events: PanelEvent[]) =>
  itemsFrom(...events).map((item) =>
    item.kind === 'fold'
      ? `${item.entries[0].events.map(({ kind }) => kind).join(' ')}: ${item.entries.map(({ events: [event] }) => event.server).join(' ')}`
      : item.entry.events.map(({ kind }) => kind).join(' '),
  );

describe('newestFirst', () => {
  it('puts an incident that goes on where its latest event is, not where it began', () => {
    const events = [
      at(0, 'crashed'),
      at(10, 'panel-blocked', null),
      at(20, 'restart-scheduled'),
      at(30, 'restarted', 'one', { attempt: 1 }),
    ];
    const entries = entriesFrom(...events);
    expect(entries.map((entry) => latestOf(entry).at / 1000)).toEqual([30, 10]);
    expect(entries[0]?.events).toHaveLength(3);
  });

  it('puts the later of two at one instant first', () => {
    const events = [at(0, 'protocol-noise', 'a'), at(0, 'protocol-noise', 'b')];
    expect(entriesFrom(...events).map(({ events: [event] }) => event?.server)).toEqual(['b', 'a']);
  });
});

describe('foldAlike', () => {
  it('makes one row of the starts of one launch, and keeps what happened between', () => {
    expect(
      shapes(
        at(0, 'panel-started', null),
        at(1, 'started', 'a'),
        at(2, 'started', 'b'),
        at(3, 'crashed', 'c'),
        at(4, 'started', 'd'),
        at(5, 'stopped', 'a'),
        at(6, 'stopped', 'b'),
      ),
    ).toEqual(['stopped: b a', 'started', 'crashed', 'started: b a', 'panel-started']);
  });

  it('leaves apart what happened minutes later, and what belongs to an incident', () => {
    expect(shapes(at(0, 'started', 'a'), at(121, 'started', 'b'))).toEqual(['started', 'started']);
    expect(shapes(at(0, 'crashed', 'a'), at(1, 'started', 'a'), at(2, 'started', 'b'))).toEqual([
      'started',
      'crashed started',
    ]);
  });

  it('makes one row of the crashes of many servers within a second, and of what became of them', () => {
    const servers = Array.from({ length: 22 }, (_, index) => `s${index}`);
    const crashes = servers.map((name, index) => at(index / 25, 'crashed', name, { exitCode: 1 }));
    const down = itemsFrom(...crashes);
    expect(down.map((item) => entriesOf(item).length)).toEqual([22]);
    expect(describeFold(entriesOf(down[0]!), 22)).toBe('crashed with exit code 1');
    const planned = servers.map((name, index) => at(1 + index / 25, 'restart-scheduled', name));
    const up = servers.map((name, index) => at(3 + index / 25, 'restarted', name, { attempt: 1 }));
    const back = itemsFrom(...crashes, ...planned, ...up);
    expect(back.map((item) => entriesOf(item).length)).toEqual([22]);
    expect(describeFold(entriesOf(back[0]!), 22)).toBe('crashed with exit code 1, running again');
  });

  it('makes one row of what several servers did at once, also with other rows between', () => {
    const items = itemsFrom(
      ...[at(0, 'crashed', 'a'), at(1, 'gave-up', 'a'), at(1, 'crashed', 'c')],
      ...[at(2, 'crashed', 'b'), at(3, 'gave-up', 'b')],
    );
    expect(items.map((item) => entriesOf(item).map(({ events: [first] }) => first?.server))).toEqual([
      ['b', 'a'],
      ['c'],
    ]);
  });

  it('leaves apart crashes of one server, those of other moments, and those that ended otherwise', () => {
    const crash = (seconds: number, name: string, instance?: string) =>
      at(seconds, 'crashed', name, { exitCode: 1, ...(instance !== undefined && { instance }) });
    expect(shapes(crash(0, 'a'), crash(6, 'b'))).toEqual(['crashed', 'crashed']);
    expect(shapes(crash(0, 'a'), crash(1, 'b'), at(2, 'gave-up', 'b'))).toEqual([
      'crashed gave-up',
      'crashed',
    ]);
    expect(shapes(crash(0, 'a', 'a#2'), crash(1, 'a', 'a#3'))).toEqual(['crashed', 'crashed']);
  });

  it('says how often where one server did the same again and again', () => {
    const [item] = itemsFrom(at(0, 'started', 'a'), at(1, 'started', 'a'), at(2, 'started', 'a'));
    expect(describeFold(entriesOf(item!), 1)).toBe('started 3 times');
  });

  it('keeps the id of a row while more join it, so that it stays open', () => {
    const events = [at(0, 'started', 'a'), at(1, 'started', 'b')];
    const before = itemsFrom(...events)[0]!;
    const after = itemsFrom(...events, at(2, 'started', 'c'))[0]!;
    expect(after.id).toBe(before.id);
    expect(entriesOf(after)).toHaveLength(3);
  });
});

describe('dayRows', () => {
  it('puts its day before the first item of each', () => {
    const day = 86_400;
    const events = [
      at(0, 'protocol-noise'),
      at(2 * day, 'protocol-noise'),
      at(2 * day + 1, 'system-resumed', null),
    ];
    expect(dayRows(itemsFrom(...events)).map(({ kind }) => kind)).toEqual([
      'day',
      'entry',
      'entry',
      'day',
      'entry',
    ]);
  });
});

describe('olderThan', () => {
  it('adds what is older than all items, and nothing that is newer', () => {
    const events = [at(0, 'protocol-noise', 'a'), at(1, 'protocol-noise', 'b'), at(2, 'protocol-noise', 'c')];
    const all = itemsFrom(...events);
    expect(olderThan([all[1]!], all)).toEqual([all[1], all[2]]);
    const held = [all[2]!];
    expect(olderThan(held, all)).toBe(held);
    expect(olderThan([], all)).toBe(all);
  });
});

describe('countNewer', () => {
  it('counts rows that came or went on, and none that stayed', () => {
    const events = [at(0, 'crashed', 'a'), at(1, 'protocol-noise', 'b')];
    const shown = itemsFrom(...events);
    expect(countNewer(itemsFrom(...events), shown)).toBe(0);
    const later = itemsFrom(...events, at(2, 'restart-scheduled', 'a'), at(3, 'system-resumed', null));
    expect(countNewer(later, shown)).toBe(2);
  });
});

describe('an entry', () => {
  it('has the span of its incident', () => {
    const [open] = groupIncidents([at(0, 'crashed'), at(320, 'restart-scheduled')]);
    expect(spanOf(open!)).toBe('5 m 20 s');
    expect(spanOf(groupIncidents([at(0, 'crashed')])[0]!)).toBeUndefined();
    expect(spanOf(groupIncidents([at(0, 'crashed'), at(0.003, 'restarted')])[0]!)).toBeUndefined();
    expect(spanOf(groupIncidents([at(MINUTE_MS, 'started')])[0]!)).toBeUndefined();
  });

  it('has an edge when it is a problem, in the colour of the state it led to', () => {
    const edge = (...events: PanelEvent[]) => problemOf(groupIncidents(events)[0]!);
    expect(edge(at(0, 'crashed'))).toBe('failed');
    expect(edge(at(0, 'stalled'))).toBe('stalled');
    expect(edge(at(0, 'stalled'), at(1, 'restart-scheduled'), at(2, 'gave-up'))).toBe('failed');
    for (const kind of ['started', 'stopped', 'config-changed', 'client-connected'] as const)
      expect(edge(at(0, kind))).toBeUndefined();
  });
});
