import { describe, expect, it } from 'vitest';
import {
  ClientMeetings,
  stateToolsIn,
  TurnWaits,
} from '../../../../electron/core/sessions/sharing/client-use.ts';

const cursor = { id: '1', name: 'cursor' };
const codex = { id: '2', name: 'codex' };

describe('the second client of a server', () => {
  it('is told of once, with the first, and with tools that speak of a state', () => {
    const meetings = new ClientMeetings();
    const names = () => ['read', 'set_project'];
    const news = [cursor, cursor, codex, cursor, { id: '3', name: 'third' }].map((user) =>
      meetings.called('one', user, names),
    );
    expect(news).toEqual([false, false, true, false, false]);
    expect(meetings.view('one')).toEqual({
      first: 'cursor',
      second: 'codex',
      stateTools: ['set_project'],
    });
    expect(meetings.view('two')).toBeUndefined();
  });
});

describe('tools that speak of a state', () => {
  it.each([
    [['set_repo', 'switch_branch', 'select_db', 'navigate', 'navigate_back'], 5],
    [['open_file', 'close_file'], 2],
    [['open_file', 'close_door', 'settle', 'preset_set_', 'read'], 0],
    [Array.from({ length: 50 }, (_, index) => `set_${index}`), 5],
  ])('of %j', (names, count) => expect(stateToolsIn(names)).toHaveLength(count));
});

describe('how long clients waited', () => {
  it('is counted for a day by client and in all, without waits that nobody notices', () => {
    let now = new Date(2026, 0, 5, 9, 12).getTime();
    const waits = new TurnWaits({ epochMs: () => now });
    const began = now;
    for (const [clientId, waitedMs] of [
      ['1', 40_000],
      ['2', 1000],
      ['1', 249],
    ] as const)
      waits.add({ server: 'one', clientId, waitedMs });
    expect(waits.view('one')).toEqual({ clients: 2, totalMs: 41_000, since: began });
    expect(waits.view('two')).toBeUndefined();
    now += 24 * 3_600_000;
    expect(waits.view('one')).toBeUndefined();
    waits.add({ server: 'one', clientId: '3', waitedMs: 500 });
    expect(waits.view('one')).toEqual({
      clients: 1,
      totalMs: 500,
      since: new Date(2026, 0, 6).getTime(),
    });
  });
});
