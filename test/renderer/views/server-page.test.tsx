import { expect, it } from 'vitest';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import type { Trend } from '../../../shared/trend.ts';
import { trendWords } from '../../../renderer/format/figures.ts';
import { Overview } from '../../../renderer/views/overview.tsx';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { stateTable } from '../../shared/state-table.ts';
import { anEvent, aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

const pageOf = (server: ServerView, events: PanelEvent[] = []) =>
  render(<ServerPage name={server.name} tab="overview" />, { servers: [server], events });

it("a server's page lists its own events within the time shown, and none of the panel's", () => {
  const at = Date.now();
  const page = pageOf(aServer('one'), [
    anEvent('0', { kind: 'started', server: 'one' }),
    anEvent('1', { at, kind: 'panel-started', server: null }),
    anEvent('2', { at, kind: 'started', server: 'one' }),
    anEvent('3', { kind: 'client-connected', server: null, detail: { client: 'Editor' } }),
    anEvent('4', { kind: 'client-refused', server: null, detail: { reason: 'token' } }),
    anEvent('5', { at, kind: 'system-resumed', server: null, detail: { sleptMs: 1000 } }),
    anEvent('6', { kind: 'crashed', server: 'another' }),
    anEvent('7', { at, kind: 'panel-quit', server: null }),
    anEvent('8', { at, kind: 'stopped', server: 'one' }),
  ]);
  const log = page.slice(page.indexOf('role="log"'));
  const shown = [...log.matchAll(/data-event="([^"]+)"/g)].map(([, id]) => id);
  expect(shown).toEqual(['8', '2']);
});

it("a server's page says the trend of its memory and the best hour to restart, above its charts", () => {
  const trend: Trend = {
    perDayBytes: 90 * 1024 ** 2,
    since: Date.UTC(2026, 10, 17, 12),
    confidence: 'clear',
    bestHour: { hour: 3, quietDays: 28, days: 30 },
  };
  const page = pageOf(aServer('one', { trend }));
  const at = page.indexOf(trendWords(trend));
  expect(at).toBeGreaterThan(0);
  expect(page).toContain('best hour to restart: 03:00, nobody called then on 28 of 30 days.');
  expect(page.indexOf('aria-label="Memory of one"')).toBeGreaterThan(at);
  expect(pageOf(aServer('one'))).not.toContain('Trend of one');
});

const enabledIn = (markup: string) =>
  ['Start', 'Stop', 'Restart'].filter((verb) => !tagOf(markup, `${verb} one`).includes('disabled=""'));

it.each(stateTable)(
  'list and page say and offer what the tray does: $kind, automatic starts $restartAttempt',
  ({ kind, restartAttempt, word, commands }) => {
    const server = aServer('one', { state: { kind, since: 0 }, restartAttempt });
    const list = render(<Overview />, { servers: [server] });
    for (const markup of [list.slice(list.indexOf('role="row"')), pageOf(server)]) {
      expect(count(markup, `>${word}</span>`)).toBe(1);
      expect(enabledIn(markup)).toEqual(commands);
    }
  },
);
