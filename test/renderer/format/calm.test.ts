import { describe, expect, it } from 'vitest';
import { calmWords, lastTrouble, restartWords } from '../../../renderer/format/calm.ts';
import { formatDate, formatHourMinute } from '../../../renderer/format/moments.ts';
import { toldEvent } from '../../../shared/events.ts';
import { anEvent } from '../builders.ts';
import { HOUR_MS } from '../../../shared/units.ts';
const panelStart = anEvent('1', { at: HOUR_MS, kind: 'panel-started', server: null });
const crash = anEvent('2', { at: 2 * HOUR_MS, kind: 'crashed', server: 'browser' });
const restart = anEvent('3', {
  at: 2 * HOUR_MS + 5000,
  kind: 'restarted',
  server: 'browser',
  detail: { attempt: 1 },
});

describe('lastTrouble', () => {
  it('is the end of the last trouble', () => {
    expect(lastTrouble([panelStart, crash, restart])).toEqual({
      since: restart.at,
      what: 'browser crashed',
    });
  });

  it('is that of an earlier launch where nothing was wrong in this one', () => {
    const after = { ...panelStart, id: '4', at: 5 * HOUR_MS };
    expect(lastTrouble([panelStart, crash, restart, after])).toEqual({
      since: restart.at,
      what: 'browser crashed',
    });
  });

  it('is not a restart that someone asked for, and not known where the events tell of none', () => {
    const end = anEvent('5', { at: 4 * HOUR_MS, kind: 'ended', detail: { by: 'person' } });
    const again = { ...restart, detail: {}, at: end.at + 1, server: end.server };
    expect(lastTrouble([panelStart, end, again])).toBeUndefined();
    expect(lastTrouble([anEvent('1', { kind: 'started' })])).toBeUndefined();
  });

  it.each([
    ['stalled', {}, 'a did not respond'],
    ['suspect', {}, 'a was suspect'],
    ['start-failed', {}, 'a failed to start'],
    ['limit-breached', { limit: 'memory' }, 'a was over its memory limit'],
    ['restart-scheduled', {}, 'a was restarted'],
  ] as const)('says what %s was', (kind, detail, words) => {
    expect(lastTrouble([{ id: '1', at: 0, server: 'a', ...toldEvent(kind, detail) }])?.what).toBe(words);
  });
});

it('says for how long nothing was wrong, and since when', () => {
  const since = 2 * HOUR_MS;
  expect(calmWords({ since, what: 'browser crashed' }, since + 2 * HOUR_MS + 600_000)).toBe(
    `No problems for 2 h 10 m, since browser crashed at ${formatHourMinute(since)}`,
  );
  expect(calmWords({ since, what: 'browser crashed' }, since + 72 * HOUR_MS)).toBe(
    `No problems for 3 d, since browser crashed on ${formatDate(since)} at ${formatHourMinute(since)}`,
  );
  expect(calmWords({ since }, since + 72 * HOUR_MS)).toBe('No problems in the last 3 d');
});

it('counts the restarts of the last hour', () => {
  expect(restartWords([crash, restart], 2 * HOUR_MS + 10_000)).toBe('1 restart in the last hour');
  expect(restartWords([crash, restart], 4 * HOUR_MS)).toBe('No restarts in the last hour');
});
