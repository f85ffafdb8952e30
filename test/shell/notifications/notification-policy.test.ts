import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKinds, toldEvent, type EventKind, type PanelEvent } from '../../../shared/events.ts';
import {
  type NotificationSettings,
  HEALED_A_DAY,
} from '../../../electron/shell/notifications/notable-events.ts';
import {
  BY_HAND_MS,
  GROUP_MS,
  MAX_PER_MINUTE,
  NotificationPolicy,
  SERVER_PAUSE_MS,
  type PanelNotification,
} from '../../../electron/shell/notifications/notification-policy.ts';
import { openFilesKindOf, openFilesWordsOf } from '../../../shared/open-files.ts';
import { createFakeClock } from '../../core/fake-clock.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { putAwayWords } from '../../../electron/shell/notifications/notification-words.ts';

const openFiles = openFilesWordsOf[openFilesKindOf(process.platform)];

const MIB = 1024 * 1024;

const event = (server: string | null, kind: EventKind, detail: object = {}): PanelEvent => ({
  id: '1',
  at: 0,
  server,
  ...toldEvent(kind, detail),
});

const memoryBreach = (server: string) =>
  event(server, 'limit-breached', { limit: 'memory', value: 1200 * MIB, max: 1024 * MIB, action: 'restart' });

/** A policy on a fake clock, asked whenever it wants to be. */
function createBench() {
  const clock = createFakeClock();
  const policy = new NotificationPolicy();
  const shown: (PanelNotification & { readonly atMs: number })[] = [];
  let settings: NotificationSettings = { stall: true, gaveUp: true, limit: true, restarts: true };
  const tell = (panelEvent: PanelEvent) => policy.take(panelEvent, settings, clock.now());
  const advance = async (ms: number) => {
    const endMs = clock.now() + ms;
    for (let nextMs = policy.nextMs; nextMs !== undefined && nextMs <= endMs; nextMs = policy.nextMs) {
      await clock.advance(Math.max(0, nextMs - clock.now()));
      const notification = policy.due(clock.now());
      if (notification === undefined) throw new Error('it asked to be asked, and has nothing');
      shown.push({ ...notification, atMs: clock.now() });
    }
    await clock.advance(endMs - clock.now());
  };
  return {
    clock,
    policy,
    shown,
    tell,
    advance,
    byHand: (server: string) => policy.byHand(server, clock.now()),
    set: (changes: Partial<typeof settings>) => (settings = { ...settings, ...changes }),
  };
}

const texts = (shown: readonly PanelNotification[]) => shown.map(({ title, body }) => `${title} | ${body}`);

describe('NotificationPolicy', () => {
  it('tells nothing of what happens to an extra process, and everything of the server as if it had not', async () => {
    const anyKind = fc.constantFrom<EventKind>(...eventKinds);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyKind, fc.boolean()), { maxLength: 30 }), async (steps) => {
        const [mixed, own] = [createBench(), createBench()];
        for (const [kind, isExtra] of steps) {
          const detail = { cause: 'crash', limit: 'memory', ...(isExtra && { instance: 'db#2' }) };
          const isTold = mixed.tell(event('db', kind, detail));
          if (isExtra) expect(isTold).toBe(false);
          else own.tell(event('db', kind, detail));
        }
        await mixed.advance(10 * SERVER_PAUSE_MS);
        await own.advance(10 * SERVER_PAUSE_MS);
        expect(texts(mixed.shown)).toEqual(texts(own.shown));
      }),
    );
  });

  it.each<[PanelEvent, string]>([
    [event('db', 'stalled', { words: 'no answer for 31 s' }), 'db stopped responding | No answer for 31 s'],
    [event('db', 'stalled'), 'db stopped responding | '],
    [
      event('db', 'gave-up', {
        cause: 'crash',
        code: 'CRASHED',
        reason: '3 automatic restarts did not help',
      }),
      'db failed | It kept crashing: 3 automatic restarts did not help',
    ],
    [event('db', 'gave-up', { code: 'COMMAND_NOT_FOUND' }), 'db failed | Its command was not found'],
    [memoryBreach('db'), 'db is over its memory limit | 1200 MiB, limit 1024 MiB; it is being restarted'],
    [
      event('db', 'limit-breached', { limit: 'openFiles', value: 1001, max: 1000, action: 'notify' }),
      `db is over its ${openFiles.limit} | 1001 ${openFiles.unit}, limit 1000 ${openFiles.unit}`,
    ],
  ])('says what happened to one server: %o', async (panelEvent, text) => {
    const { tell, advance, shown } = createBench();
    expect(tell(panelEvent)).toBe(true);
    await advance(GROUP_MS - 1);
    expect(shown).toEqual([]);
    await advance(1);
    expect(texts(shown)).toEqual([text]);
    expect(shown[0]).toMatchObject({ server: 'db', count: 1 });
  });

  it('holds no word of a server or of the system: it may show on a locked screen, or be read as markup', async () => {
    const { tell, advance, shown } = createBench();
    const hostile = '<a href="https://example.com">token=s3cret</a>';
    tell(event('db', 'gave-up', { cause: 'crash', code: 'CRASHED', message: hostile, stderrTail: hostile }));
    await advance(GROUP_MS);
    tell(event('other', 'gave-up', { code: 'COMMAND_NOT_FOUND', message: hostile, remedy: hostile }));
    await advance(GROUP_MS);
    expect(shown).toHaveLength(2);
    expect(texts(shown).join(' ')).not.toMatch(/[<>]|s3cret/);
  });

  it('tells of several servers within a few seconds at once, and opens none of them in particular', async () => {
    const { tell, advance, shown } = createBench();
    for (const server of ['a', 'b', 'c']) {
      tell(event(server, 'stalled'));
      await advance(GROUP_MS / 4);
    }
    await advance(GROUP_MS);
    expect(texts(shown)).toEqual(['3 servers stopped responding | a, b and c']);
    expect(shown[0]).toMatchObject({ server: undefined, count: 3 });
  });

  it('has one word for several kinds, and names no more servers than can be read', async () => {
    const { tell, advance, shown } = createBench();
    tell(event('a', 'stalled'));
    for (const server of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) tell(event(server, 'gave-up'));
    await advance(GROUP_MS);
    expect(texts(shown)).toEqual(['8 servers need attention | a, b, c, d, e and 3 more']);
  });

  it('tells of one server once a minute, and counts what it swallowed', async () => {
    const { tell, advance, shown } = createBench();
    tell(event('a', 'stalled'));
    await advance(GROUP_MS);
    for (let i = 0; i < 3; i += 1) {
      tell(event('a', 'stalled', { words: `no answer for ${30 + i} s` }));
      await advance(5000);
    }
    expect(shown).toHaveLength(1);
    await advance(SERVER_PAUSE_MS);
    expect(texts(shown).slice(1)).toEqual([
      'a stopped responding | No answer for 32 s\nAnd 2 earlier events',
    ]);
    expect(shown[1]).toMatchObject({ count: 3, atMs: GROUP_MS + SERVER_PAUSE_MS });
  });

  it('never waits for a server in its pause to tell of another', async () => {
    const { tell, advance, shown } = createBench();
    tell(event('a', 'stalled'));
    await advance(GROUP_MS);
    tell(event('a', 'stalled'));
    tell(event('b', 'stalled'));
    await advance(GROUP_MS);
    expect(shown.map(({ server }) => server)).toEqual(['a', 'b']);
  });

  it('holds back all of them when there were too many, and tells of them together', async () => {
    const { tell, advance, shown } = createBench();
    for (let i = 0; i < MAX_PER_MINUTE + 3; i += 1) {
      tell(event(`s${i}`, 'gave-up'));
      await advance(GROUP_MS);
    }
    expect(shown).toHaveLength(MAX_PER_MINUTE);
    await advance(60_000);
    expect(shown.at(-1)).toMatchObject({ title: '3 servers failed', count: 3, atMs: GROUP_MS + 60_000 });
  });

  it('says that a limit is kept again only if it said that it was not', async () => {
    const { tell, advance, shown } = createBench();
    const recovered = event('a', 'limit-recovered', { limit: 'memory', value: 800 * MIB, max: 1024 * MIB });
    expect(tell(recovered)).toBe(false);
    tell(memoryBreach('a'));
    await advance(SERVER_PAUSE_MS + GROUP_MS);
    expect(tell(event('a', 'limit-recovered', { limit: 'cpu' }))).toBe(false);
    expect(tell(recovered)).toBe(true);
    expect(tell(recovered)).toBe(false);
    await advance(GROUP_MS);
    expect(texts(shown).at(-1)).toBe('a is back under its memory limit | 800 MiB, limit 1024 MiB');
  });

  it('leaves to a rule of alerts what that reports on the desktop, of its servers alone', async () => {
    const { tell, advance, set, shown } = createBench();
    const rule = { id: 'r', lastsMinutes: 0, repeatHours: 0, servers: ['a'] };
    set({
      rules: [
        { ...rule, what: 'failed', to: ['desktop', 'webhook'] },
        { ...rule, what: 'limit', to: ['webhook'] },
      ],
    });
    expect(tell(event('a', 'gave-up'))).toBe(false);
    expect(tell(event('b', 'gave-up'))).toBe(true);
    await advance(GROUP_MS);
    expect(texts(shown)).toEqual(['b failed | ']);
    expect(tell(memoryBreach('a'))).toBe(true);
    // Without the rule, the next giving up is news again.
    set({ rules: [] });
    expect(tell(event('a', 'gave-up'))).toBe(true);
  });

  it('tells once that a server was given up, however often it is tried and given up again', async () => {
    const { tell, advance, shown } = createBench();
    for (let i = 0; i < 5; i += 1) {
      tell(event('a', 'gave-up'));
      await advance(300_000);
      tell(event('a', 'restarted', { attempt: 3 }));
    }
    expect(shown).toHaveLength(1);
  });

  it.each<[string, PanelEvent]>([
    ['a person started it', event('a', 'started')],
    ['it had been stable', event('a', 'restart-scheduled', { attempt: 1 })],
    ['its configuration was changed', event('a', 'config-changed', { change: 'edited', restarts: true })],
    ['it was removed', event('a', 'config-changed', { change: 'removed' })],
  ])('tells of it again once %s', async (_what, between) => {
    const { tell, advance, shown } = createBench();
    tell(event('a', 'gave-up'));
    await advance(300_000);
    expect(tell(between)).toBe(false);
    expect(tell(event('a', 'gave-up'))).toBe(true);
    await advance(GROUP_MS);
    expect(shown).toHaveLength(2);
  });

  it.each<[EventKind, string]>([
    ['restart-scheduled', 'No answer for 28 s; it is being restarted'],
    ['restarted', 'No answer for 28 s; it was restarted already'],
    ['recovered', 'No answer for 28 s; it answers again'],
  ])('says with a stall what became of it by then: %s', async (kind, body) => {
    const { tell, advance, shown } = createBench();
    tell(event('db', 'stalled', { words: 'no answer for 28 s' }));
    await advance(GROUP_MS / 2);
    tell(event('db', kind, { cause: 'stall' }));
    tell(event('other', 'restarted'));
    await advance(GROUP_MS);
    expect(texts(shown)).toEqual([`db stopped responding | ${body}`]);
  });

  it('says nothing of the aftermath of an earlier stall with a new one', async () => {
    const { tell, advance, shown } = createBench();
    tell(event('db', 'stalled', { words: 'no answer for 28 s' }));
    tell(event('db', 'restarted'));
    tell(event('db', 'stalled', { words: 'no answer for 30 s' }));
    await advance(GROUP_MS);
    expect(texts(shown)).toEqual(['db stopped responding | No answer for 30 s\nAnd 1 earlier event']);
  });

  it('is silent about what a person has just done, or is dealing with', async () => {
    const { tell, advance, byHand, shown, policy } = createBench();
    byHand('a');
    expect(tell(event('a', 'gave-up', { code: 'COMMAND_NOT_FOUND' }))).toBe(false);
    tell(event('b', 'stalled'));
    byHand('b');
    expect(policy.nextMs).toBeUndefined();
    await advance(BY_HAND_MS);
    expect(shown).toEqual([]);
    expect(tell(event('b', 'stalled'))).toBe(true);
  });

  it('leaves out what is switched off, and everything that is no trouble', () => {
    const { tell, set } = createBench();
    for (const kind of [
      'started',
      'crashed',
      'suspect',
      'restarted',
      'high-cpu',
      'protocol-noise',
    ] as const) {
      expect(tell(event('a', kind))).toBe(false);
    }
    set({ stall: false, limit: false });
    expect(tell(event('a', 'stalled'))).toBe(false);
    expect(tell(memoryBreach('a'))).toBe(false);
    expect(tell(event('a', 'gave-up'))).toBe(true);
  });

  it('never shows more than allowed, neither over all nor of one server, and loses nothing', async () => {
    const step = fc.record({
      server: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      kind: fc.constantFrom<EventKind>('stalled', 'gave-up', 'limit-breached', 'limit-recovered', 'started'),
      pauseMs: fc.oneof(fc.constant(0), fc.nat(2 * GROUP_MS), fc.nat(90_000)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { tell, advance, shown, policy } = createBench();
        let taken = 0;
        for (const { server, kind, pauseMs } of steps) {
          if (tell(event(server, kind, { limit: 'memory' }))) taken += 1;
          await advance(pauseMs);
        }
        await advance(10 * SERVER_PAUSE_MS);
        expect(policy.nextMs).toBeUndefined();
        expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe(taken);
        shown.forEach(({ atMs }, i) => {
          const afterMs = shown[i + MAX_PER_MINUTE]?.atMs ?? Infinity;
          expect(afterMs - atMs).toBeGreaterThanOrEqual(60_000);
        });
        expectPauses(shown);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

describe('crashes that heal', () => {
  const DAY_MS = 86_400_000;
  /** Noon, in whatever zone the test runs. */
  const noon = new Date(2026, 4, 5, 12).getTime();

  function crashing() {
    const bench = createBench();
    const heal = async (cause: string, at = noon) => {
      bench.tell({ ...event('github', 'restart-scheduled', { cause, attempt: 1 }), at });
      bench.tell({ ...event('github', 'restarted', { attempt: 1 }), at });
      await bench.advance(SERVER_PAUSE_MS);
    };
    const times = async (count: number, cause = 'crash', at = noon) => {
      for (let i = 0; i < count; i += 1) await heal(cause, at);
    };
    return { ...bench, times };
  }

  it('are told once a day, when there are many', async () => {
    const { shown, times } = crashing();
    await times(HEALED_A_DAY - 1);
    expect(shown).toEqual([]);
    await times(10);
    expect(texts(shown)).toEqual([
      'github restarted 5 times today | It crashed each time and restarted automatically',
    ]);
    await times(HEALED_A_DAY, 'crash', noon + DAY_MS);
    expect(shown).toHaveLength(2);
  });

  it('are counted by the day', async () => {
    const { shown, times } = crashing();
    for (let day = 0; day < 5; day += 1) await times(HEALED_A_DAY - 1, 'crash', noon + day * DAY_MS);
    expect(shown).toEqual([]);
  });

  it('are no restarts for another cause, which are told by themselves', async () => {
    const { shown, times } = crashing();
    await times(10, 'stall');
    await times(10, 'limit');
    expect(shown).toEqual([]);
  });

  it('are not told of a server that is known to have failed, nor where nobody wants to know', async () => {
    const failed = crashing();
    failed.tell(event('github', 'gave-up', {}));
    await failed.advance(SERVER_PAUSE_MS);
    for (let i = 0; i < 10; i += 1) {
      failed.tell({ ...event('github', 'restart-scheduled', { cause: 'crash', attempt: 2 }), at: noon });
      failed.tell({ ...event('github', 'restarted', { attempt: 2 }), at: noon });
      await failed.advance(SERVER_PAUSE_MS);
    }
    expect(failed.shown).toHaveLength(1);

    const unwanted = crashing();
    unwanted.set({ restarts: false });
    await unwanted.times(10);
    expect(unwanted.shown).toEqual([]);
  });
});

function expectPauses(shown: readonly (PanelNotification & { readonly atMs: number })[]): void {
  const last = new Map<string, number>();
  for (const { server, atMs } of shown) {
    if (server === undefined) continue;
    expect(atMs - (last.get(server) ?? -Infinity)).toBeGreaterThanOrEqual(SERVER_PAUSE_MS);
    last.set(server, atMs);
  }
}

describe('putAwayWords', () => {
  it('says what goes on, and how the window comes back', () => {
    const { title, body } = putAwayWords('hidden', 9);
    expect(title).toBe('MCP Control Panel is still running here');
    expect(body).toBe(
      '9 servers keep running. The icon in the tray brings the window back, and its menu quits.',
    );
  });

  it('says why the window is still there on a desktop without a tray', () => {
    expect(putAwayWords('minimised', 1).body).toBe(
      '1 server keeps running. This desktop shows no tray icons, so the window was minimised; Ctrl+Q quits.',
    );
    expect(putAwayWords('minimised', 0).body).toMatch(/^It keeps running\./);
  });
});
