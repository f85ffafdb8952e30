import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKinds, toldEvent, type EventKind, type PanelEvent } from '../../../shared/events.ts';
import { describeEntry, headlineOf, tellEntry } from '../../../renderer/format/incident-words.ts';
import { groupIncidents, isSameEntry, type LogEntry } from '../../../renderer/format/incidents.ts';

const MIB = 1024 * 1024;
type Step = readonly [kind: EventKind, detail?: object, server?: string | null];

/** Events, half a second apart. */
const eventsOf = (...steps: readonly Step[]): PanelEvent[] =>
  steps.map(([kind, detail = {}, server = 'one'], index) => ({
    id: `e${index}`,
    at: index * 500,
    server,
    ...toldEvent(kind, detail),
  }));

/** Kinds per entry with the outcome behind them, such as `crashed restarted → restarted`. */
const shapeOf = (entries: readonly LogEntry[]) =>
  entries.map(({ events, outcome }) => {
    const kinds = events.map(({ kind }) => kind).join(' ');
    return outcome === undefined ? kinds : `${kinds} → ${outcome}`;
  });
const group = (...steps: readonly Step[]) => shapeOf(groupIncidents(eventsOf(...steps)));
const say = (...steps: readonly Step[]) =>
  groupIncidents(eventsOf(...steps)).map((entry) => {
    const { title, details } = describeEntry(entry);
    return [title, ...details].join(' · ');
  });

const crashed: Step = ['crashed', { exitCode: 1, stderrTail: 'cannot read config' }];
const scheduled = (attempt = 1): Step => [
  'restart-scheduled',
  { delayMs: 3000, attempt, maxAttempts: 3, cause: 'crash' },
];
const restarted = (attempt = 1, stableAfterMs?: number): Step => [
  'restarted',
  { generation: 2, attempt, ...(stableAfterMs !== undefined && { stableAfterMs }) },
];
const byHand: Step = ['restarted', { generation: 2 }];
const memory = { limit: 'memory', value: 1290 * MIB, max: 1024 * MIB };

describe('groupIncidents', () => {
  it.each<[string, Step[], string[]]>([
    [
      'a crash with its restart, between what has nothing to do with it',
      [['started'], crashed, scheduled(), ['protocol-noise'], restarted(), ['high-cpu']],
      ['started', 'crashed restart-scheduled restarted → restarted', 'protocol-noise', 'high-cpu'],
    ],
    [
      'a restart on demand, also of a server in doubt',
      [['ended', { by: 'person' }], byHand, ['suspect'], ['ended', { by: 'person' }], byHand],
      ['ended restarted → requested', 'suspect ended restarted → requested'],
    ],
    [
      'a breach with the end that it led to',
      [['limit-breached', memory], ['ended', { by: 'limit' }], scheduled(), restarted()],
      ['limit-breached ended restart-scheduled restarted → restarted'],
    ],
    [
      'every attempt until the server is up',
      [crashed, scheduled(), ['start-failed'], scheduled(2), restarted(2)],
      ['crashed restart-scheduled start-failed restart-scheduled restarted → restarted'],
    ],
    [
      'every attempt until it is given up, and its next chance',
      [['start-failed'], scheduled(), ['start-failed'], ['gave-up'], restarted()],
      ['start-failed restart-scheduled start-failed gave-up restarted → restarted'],
    ],
    ['an incident that goes on', [crashed, scheduled()], ['crashed restart-scheduled → open']],
    ['a crash that nothing is known of yet', [crashed], ['crashed → open']],
    [
      'every crash of a loop, until it is given up',
      [crashed, scheduled(), restarted(), crashed, scheduled(2), restarted(2), crashed, ['gave-up']],
      ['crashed restart-scheduled restarted crashed restart-scheduled restarted crashed gave-up → gave-up'],
    ],
    [
      'a crash after a run that was stable by itself',
      [crashed, restarted(1, 900), ['protocol-noise'], crashed],
      ['crashed restarted → restarted', 'protocol-noise', 'crashed → open'],
    ],
    [
      'another cause by itself, however soon',
      [crashed, restarted(), ['limit-breached', memory], scheduled(2), restarted(2), crashed],
      [
        'crashed restarted → restarted',
        'limit-breached restart-scheduled restarted → restarted',
        'crashed → open',
      ],
    ],
    [
      'every breach of one limit, and every stall, of a loop',
      [
        ['limit-breached', memory],
        restarted(),
        ['limit-breached', memory],
        restarted(2),
        ['limit-breached', { limit: 'openFiles' }],
        ['stalled', {}, 'two'],
        ['restarted', { attempt: 1 }, 'two'],
        ['suspect', {}, 'two'],
        ['stalled', {}, 'two'],
        ['gave-up', {}, 'two'],
      ],
      [
        'limit-breached restarted limit-breached restarted → restarted',
        'limit-breached → open',
        'stalled restarted suspect stalled gave-up → gave-up',
      ],
    ],
    [
      'the slow retries of a server that was given up, however they fail',
      [
        crashed,
        ['gave-up'],
        restarted(3),
        crashed,
        ['gave-up'],
        ['start-failed', { attempt: 3 }],
        ['gave-up'],
      ],
      ['crashed gave-up restarted crashed gave-up start-failed gave-up → gave-up'],
    ],
    [
      'the same again of which only the number is told',
      [['start-failed'], ['gave-up'], ['gave-up', { repeats: 4 }], ['gave-up', { repeats: 8 }], restarted(3)],
      ['start-failed gave-up gave-up gave-up restarted → restarted'],
    ],
    [
      'what follows a start by hand not with what was given up before',
      [crashed, ['gave-up'], ['start-failed'], scheduled(), restarted(), ['stopped'], crashed],
      [
        'crashed gave-up → gave-up',
        'start-failed restart-scheduled restarted → restarted',
        'stopped',
        'crashed → open',
      ],
    ],
    [
      'a second crash, where the events between are missing',
      [crashed, scheduled(), crashed, restarted()],
      ['crashed restart-scheduled → unknown', 'crashed restarted → restarted'],
    ],
    [
      'doubt, the verdict that follows, what it took to end the server, and the restart',
      [['suspect'], ['stalled'], ['force-killed'], scheduled(), restarted()],
      ['suspect stalled force-killed restart-scheduled restarted → restarted'],
    ],
    [
      'a stall that was only reported, and ended by itself',
      [['stalled'], ['recovered'], ['recovered']],
      ['stalled recovered → recovered', 'recovered'],
    ],
    [
      'a doubted server that crashes',
      [['suspect'], crashed, scheduled()],
      ['suspect crashed restart-scheduled → open'],
    ],
    [
      'two doubts, until the last of them is gone',
      [['limit-breached', memory], ['suspect'], ['limit-recovered', memory], ['recovered']],
      ['limit-breached suspect limit-recovered recovered → recovered'],
    ],
    [
      'the end of another limit, and of high CPU, not with a breach',
      [
        ['limit-breached', memory],
        ['limit-recovered', { limit: 'cpu' }],
        ['limit-recovered', memory],
      ],
      ['limit-breached limit-recovered → recovered', 'limit-recovered'],
    ],
    [
      'a breach that stops the server',
      [['limit-breached', memory], ['stopped']],
      ['limit-breached stopped → stopped'],
    ],
    [
      'a restart by hand while it waits',
      [crashed, scheduled(), byHand, byHand],
      ['crashed restart-scheduled restarted → requested', 'restarted'],
    ],
    [
      'a start by hand while it waits',
      [crashed, scheduled(), ['started']],
      ['crashed restart-scheduled started → requested'],
    ],
    [
      'a stop by hand while it waits',
      [crashed, scheduled(), ['stopped'], ['started']],
      ['crashed restart-scheduled stopped → stopped', 'started'],
    ],
    [
      'a start that no doubt explains, by itself',
      [['suspect'], ['started'], ['recovered']],
      ['suspect → unknown', 'started', 'recovered'],
    ],
    [
      'an incident whose beginning is forgotten',
      [scheduled(), restarted(), ['gave-up'], ['stopped']],
      ['restart-scheduled restarted → restarted', 'gave-up', 'stopped'],
    ],
    [
      'nothing over the end of the panel',
      [crashed, scheduled(), ['panel-quit', {}, null], restarted()],
      ['crashed restart-scheduled → unknown', 'panel-quit', 'restarted'],
    ],
    [
      'nothing over the removal of the server',
      [crashed, ['config-changed', { change: 'removed' }], restarted()],
      ['crashed → unknown', 'config-changed', 'restarted'],
    ],
    [
      'interleaved servers, and a further process of one, each by itself',
      [
        crashed,
        ['crashed', {}, 'two'],
        ['crashed', { instance: 'one#2' }],
        ['restarted', { attempt: 1 }, 'two'],
        scheduled(),
        ['gave-up', { instance: 'one#2' }],
        restarted(),
        ['crashed', { instance: 'one#3' }],
        ['started', { instance: 'one#3' }],
      ],
      [
        'crashed restart-scheduled restarted → restarted',
        'crashed restarted → restarted',
        'crashed gave-up → gave-up',
        'crashed → unknown',
        'started',
      ],
    ],
  ])('puts together %s', (_what, steps, expected) => expect(group(...steps)).toEqual(expected));

  it('tells the end of an extra process as that, and not as the server giving up', () => {
    const ofExtra = { instance: 'one#2', exitCode: 97 };
    expect(say(['crashed', ofExtra])).toEqual(['extra process crashed · exit 97 · one#2']);
    expect(say(['crashed', ofExtra], ['stopped', ofExtra], ['started', ofExtra])).toEqual([
      'extra process crashed with exit code 97 · one#2',
      'extra process started · one#2',
    ]);
    const reason = 'automatic restarts are off';
    expect(say(['crashed', ofExtra], ['gave-up', { ...ofExtra, cause: 'crash', reason }])).toEqual([
      'extra process crashed with exit code 97 · one#2',
    ]);
  });

  const anyEvents = fc
    .array(
      fc.record({
        kind: fc.constantFrom<EventKind>(...eventKinds),
        server: fc.constantFrom('one', 'two'),
        detail: fc.record(
          {
            limit: fc.constantFrom('memory', 'openFiles', 'cpu'),
            attempt: fc.nat(3),
            instance: fc.constantFrom('one#2'),
            change: fc.constantFrom('removed', 'edited'),
          },
          { requiredKeys: [] },
        ),
      }),
      { maxLength: 60 },
    )
    .map((drawn) =>
      drawn.map(({ kind, server, detail }, index): PanelEvent => {
        const isOfPanel = kind === 'panel-started' || kind === 'panel-quit';
        const head = { id: `e${index}`, at: index * 100, server: isOfPanel ? null : server };
        return { ...head, ...toldEvent(kind, detail) };
      }),
    );
  const idsOf = ({ events }: LogEntry) => events.map(({ id }) => id);
  const order = (id: string) => Number(id.slice(1));

  it('shows every event once, in order, entries by their first', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const entries = groupIncidents(events);
        expect(entries.flatMap(idsOf).sort()).toEqual(events.map(({ id }) => id).sort());
        for (const entry of entries) {
          expect(idsOf(entry)).toEqual(idsOf(entry).toSorted((a, b) => order(a) - order(b)));
          expect(new Set(entry.events.map(({ server }) => server)).size).toBe(1);
          expect(entry.id).toBe(entry.events[0]?.id);
        }
        const starts = entries.map(({ id }) => order(id));
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
    );
  });

  it('has at most one open incident for each process, and ends one with its last event only', () => {
    const isEnd = ({ kind, detail }: PanelEvent) =>
      kind === 'started' || kind === 'stopped' || (kind === 'restarted' && detail['attempt'] === undefined);
    fc.assert(
      fc.property(anyEvents, (events) => {
        const entries = groupIncidents(events);
        const open = entries
          .filter(({ outcome }) => outcome === 'open')
          .map(({ events: [first] }) => `${first?.server} ${String(first?.detail['instance'])}`);
        expect(new Set(open).size).toBe(open.length);
        for (const entry of entries) {
          expect(entry.events.slice(0, -1).filter(isEnd)).toEqual([]);
          if (entry.outcome === undefined) expect(entry.events).toHaveLength(1);
        }
      }),
    );
  });

  it('only lengthens entries, or adds some, as events come', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(60), (events, cut) => {
        const later = new Map(groupIncidents(events).map((entry) => [entry.id, entry]));
        for (const entry of groupIncidents(events.slice(0, cut))) {
          const grown = later.get(entry.id);
          expect(grown && idsOf(grown).slice(0, entry.events.length)).toEqual(idsOf(entry));
          // Restarts and giving up are outcomes only so far.
          const isOver = !['open', 'restarted', 'gave-up'].includes(entry.outcome ?? '');
          if (isOver) expect(grown && isSameEntry(grown, entry)).toBe(true);
        }
      }),
    );
  });

  it('makes of the events of one server the same, whatever happens to others between', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const isOne = ({ server }: PanelEvent) => server === 'one' || server === null;
        const alone = groupIncidents(events.filter(isOne));
        const among = groupIncidents(events).filter((entry) => isOne(entry.events[0]));
        expect(among.map((entry) => [...idsOf(entry), entry.outcome])).toEqual(
          alone.map((entry) => [...idsOf(entry), entry.outcome]),
        );
      }),
    );
  });

  it('has words for whatever comes together', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        for (const entry of groupIncidents(events)) {
          const { title, details } = describeEntry(entry);
          expect([title, ...details].join(' · ')).toMatch(/^\S.*$/);
          expect([title, ...details].join(' · ')).not.toMatch(/undefined|NaN|object/);
          expect(entry.events).toContain(headlineOf(entry));
        }
      }),
    );
  });
});

describe('a restart on demand', () => {
  const lost = { by: 'person', calls: [{ method: 'tools/call', target: 'search', by: 'client' }] };

  it('is one row, with the calls that it cut off', () => {
    expect(say(['ended', lost], byHand)).toEqual(['restarted on request after 500 ms · 1 call lost: search']);
  });

  it('says that it is under way, whatever else happens meanwhile', () => {
    expect(say(['ended', lost])).toEqual(['ended, to be restarted · 1 call lost: search']);
    expect(say(['ended', lost], ['force-killed'])).toEqual(['ended, to be restarted · 1 call lost: search']);
  });

  it('counts no call that nobody waited for, and none of the panel', () => {
    const calls = [
      { method: 'a', by: 'panel' },
      { method: 'b', by: 'client', isGivenUp: true },
    ];
    expect(say(['stopped', { calls }])).toEqual(['stopped']);
  });
});

describe('an incident in one sentence', () => {
  it.each<[Step[], string]>([
    [[crashed, scheduled(), restarted()], 'crashed with exit code 1, back after 1 s · "cannot read config"'],
    [
      [crashed, scheduled()],
      'crashed with exit code 1, restarts in 3 s · attempt 1 of 3 · "cannot read config"',
    ],
    [
      [['crashed', { signal: 'SIGKILL' }], scheduled(), restarted()],
      'crashed, ended by SIGKILL, back after 1 s',
    ],
    [
      [crashed, ['gave-up', { reason: '3 automatic restarts did not help' }]],
      'crashed with exit code 1, gave up · 3 automatic restarts did not help · "cannot read config"',
    ],
    [
      [['suspect', {}], ['stalled', { words: 'no answer for 31 s' }], scheduled(2), restarted(2)],
      'not responding, back after 1 s · attempt 2 of 3 · no answer for 31 s',
    ],
    [
      [['suspect', { words: 'no answer for 31 s' }], ['recovered']],
      'suspect, answers again after 500 ms · no answer for 31 s',
    ],
    [
      [
        ['limit-breached', memory],
        ['limit-recovered', memory],
      ],
      'over its memory limit, back under it after 500 ms · 1.26 GiB · limit 1.00 GiB',
    ],
    [
      [crashed, scheduled(), byHand],
      'crashed with exit code 1, restarted on request after 1 s · "cannot read config"',
    ],
    [
      [crashed, scheduled(), ['started']],
      'crashed with exit code 1, started on request after 1 s · "cannot read config"',
    ],
    [
      [['start-failed', { message: 'no answer' }], ['stopped']],
      'failed to start, stopped after 500 ms · no answer',
    ],
    [[scheduled(), restarted()], 'back after 500 ms · after a crash'],
    [[crashed], 'crashed · exit 1 · "cannot read config"'],
    [
      [crashed, scheduled(), restarted(), crashed, scheduled(2), restarted(2), crashed],
      'crashed 3 times in 3 s · exit 1 · "cannot read config"',
    ],
    [
      [crashed, scheduled(), restarted(), crashed, scheduled(2)],
      'crashed 2 times in 1.5 s, restarts in 3 s · attempt 2 of 3 · exit 1 · "cannot read config"',
    ],
    [
      [crashed, scheduled(), restarted(), crashed, scheduled(2), restarted(2)],
      'crashed 2 times in 1.5 s, running again · attempt 2 of 3 · exit 1 · "cannot read config"',
    ],
    [
      [
        ['start-failed', { message: 'no answer' }],
        scheduled(),
        ['start-failed', {}],
        ['gave-up', { reason: 'x' }],
      ],
      'failed to start 2 times in 1 s, gave up · x',
    ],
    [
      [['limit-breached', memory], restarted(), ['limit-breached', memory], ['gave-up', { reason: 'x' }]],
      'over its memory limit 2 times in 1 s, gave up · x · 1.26 GiB · limit 1.00 GiB',
    ],
    [
      [crashed, scheduled(3), restarted(3), crashed, ['gave-up', { reason: 'x' }], restarted(3)],
      'crashed 2 times in 1.5 s, running again · exit 1 · "cannot read config"',
    ],
  ])('%j', (steps, words) => expect(say(...steps)).toEqual([words]));

  it('is about the gravest that went wrong, and says in the end what to do', () => {
    const [entry] = groupIncidents(
      eventsOf(
        ['start-failed', { message: 'first', remedy: 'Read stderr.' }],
        scheduled(),
        ['start-failed', { message: 'second' }],
        ['gave-up', { remedy: 'Install it.' }],
      ),
    );
    expect(headlineOf(entry!).detail).toMatchObject({ message: 'first' });
    expect(tellEntry(entry!)).toEqual({
      facts: [{ term: 'What happened', lines: ['first'] }],
      advice: 'Install it.',
    });
  });
});
