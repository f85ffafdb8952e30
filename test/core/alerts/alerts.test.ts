import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AlertRule, AlertSettings } from '../../../shared/alerts.ts';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { ServerView } from '../../../shared/domain.ts';
import { toldEvent, type EventDetail, type EventKind, type PanelEvent } from '../../../shared/events.ts';
import { Alerts } from '../../../electron/core/alerts/alerts.ts';
import type { Alert } from '../../../electron/core/alerts/alert-words.ts';
import { isQuietAt } from '../../../electron/core/alerts/episode.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

const MINUTE = 60_000;
const rule = (what: AlertRule['what'], changes: Partial<AlertRule> = {}): AlertRule => ({
  ...{ id: what, what, servers: 'all', lastsMinutes: 0, repeatHours: 0, to: ['desktop'] },
  ...changes,
});
const aServer = (name: string, changes: Partial<ServerView> = {}): ServerView => ({
  ...{ name, transport: 'stdio', autoStart: true, target: name, state: { kind: 'running', since: 0 } },
  ...{ generation: 1, restartAttempt: 0, maxRestartAttempts: 3, restartsTotal: 0 },
  limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
  ...changes,
});
const anEvent = <K extends EventKind>(id: string, kind: K, detail: EventDetail<K>): PanelEvent => ({
  ...{ id, at: 0, server: 'one' },
  ...toldEvent(kind, detail),
});
const failed = (name: string): ServerView => aServer(name, { state: { kind: 'failed', since: 0 } });

let clock: FakeClock;
let servers: ServerView[];
let minutes: CallMinute[];
let settings: AlertSettings;
let told: Alert[];
let logged: object[];
let alerts: Alerts;
let stopDesktop: () => void;

beforeEach(() => {
  clock = createFakeClock();
  servers = [];
  minutes = [];
  settings = { rules: [] };
  told = [];
  logged = [];
  alerts = new Alerts({
    ...{ clock, wallClock: clock, settings: () => settings },
    servers: () => servers,
    view: (name) => servers.find((server) => server.name === name),
    callMinutes: () => minutes,
    resolve: (url) => url,
    redact: (text) => text,
    logEvent: (server, detail) => logged.push({ server, ...detail }),
    openHttp: () => ({ fetch: () => Promise.reject(new Error('no network here')), close: () => undefined }),
  });
  stopDesktop = alerts.desktop.subscribe((alert) => told.push(alert));
});

function put(...rules: AlertRule[]): void {
  settings = { ...settings, rules };
  alerts.settingsChanged();
}

async function begin(...rules: AlertRule[]): Promise<void> {
  settings = { ...settings, rules };
  alerts.start();
  await clock.advance(0);
}

function set(...views: ServerView[]): void {
  servers = views;
  for (const { name } of views) alerts.serverChanged(name);
}

const titles = () => told.map(({ title }) => title);

describe('a rule', () => {
  it('tells within a second, and of servers that fail together at once', async () => {
    set(aServer('one'), aServer('two'), aServer('other'));
    await begin(rule('failed', { servers: ['one', 'two'] }));
    set(failed('one'), failed('two'), failed('other'));
    await clock.advance(1000);
    expect(titles()).toEqual(['2 servers failed']);
    expect(told[0]?.servers.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('does not tell again of a server that is only tried again, but of one that had run', async () => {
    set(failed('one'));
    await begin(rule('failed'));
    for (const kind of ['starting', 'failed', 'starting', 'failed'] as const) {
      set(aServer('one', { state: { kind, since: 0 } }));
      await clock.advance(10 * MINUTE);
    }
    set(aServer('one'));
    await clock.advance(MINUTE / 2);
    set(failed('one'));
    await clock.advance(10 * MINUTE);
    expect(titles()).toEqual(['one failed']);
    set(aServer('one'));
    await clock.advance(2 * MINUTE);
    set(failed('one'));
    await clock.advance(1000);
    expect(titles()).toEqual(['one failed', 'one failed']);
  });

  it('about limits holds until the server is back under them, or its run is over', async () => {
    const breach = anEvent('1', 'limit-breached', { limit: 'memory', value: 2 ** 30, max: 2 ** 29 });
    const happens = (...events: PanelEvent[]) => events.forEach((event) => alerts.eventHappened(event));
    set(aServer('one'));
    await begin(rule('limit'), rule('limit', { id: 'long', lastsMinutes: 5 }));
    // The run ends at once, and the alert is sent all the same.
    happens(breach, anEvent('2', 'stopped', {}));
    await clock.advance(10 * MINUTE);
    expect(told.map(({ rule, servers: [server] }) => [rule, server?.detail])).toEqual([
      ['limit', '1024 MiB of memory, limit 512 MiB of memory'],
    ]);
    happens(breach);
    await clock.advance(6 * MINUTE);
    happens(anEvent('3', 'limit-recovered', { limit: 'memory' }));
    expect(told.map((alert) => alert.rule)).toEqual(['limit', 'limit', 'long']);
  });

  it('about errors takes their share of the calls of five minutes, if there are enough', async () => {
    set(aServer('one'));
    await begin(rule('errors', { share: 20 }));
    minutes = [{ at: 0, calls: 4, errors: 4 }];
    await clock.advance(MINUTE);
    expect(told).toEqual([]);
    minutes = [...minutes, { at: MINUTE, calls: 6, errors: 0 }];
    await clock.advance(MINUTE);
    expect(told.map(({ servers: [server] }) => server?.detail)).toEqual([
      '40 % of 10 calls in 5 minutes failed',
    ]);
  });

  it('about unstable servers, and about trends, tells of them', async () => {
    const unstable = { ends24h: 3, ends7d: 3, since: 0, lastEndAt: 0 };
    set(aServer('one', { unstable }));
    await begin(rule('unstable'), rule('trend', { lastsMinutes: 30 }));
    await clock.advance(1000);
    alerts.eventHappened({ ...anEvent('1', 'stopped', {}), kind: 'trend' } as unknown as PanelEvent);
    await clock.advance(1000);
    expect(titles()).toEqual(['one is unstable', 'one needs more memory every day']);
  });

  it('about log lines tells once of a burst, and runs any pattern in linear time', async () => {
    set(aServer('one'));
    await begin(rule('log', { pattern: '(a+)+$' }));
    await vi.waitFor(async () => {
      alerts.lineWritten('one', `${'a'.repeat(100_000)}!`);
      alerts.lineWritten('one', '\u001b[31mBAA\u001b[0m');
      await clock.advance(1000);
      expect(titles()).toEqual(['one wrote a line that you wait for']);
    });
    for (let count = 0; count < 10_001; count += 1) alerts.lineWritten('one', 'aa');
    await clock.advance(20_000);
    expect(titles()).toHaveLength(1);
    expect(logged).toMatchObject([
      { what: 'log', reason: 'Lines came too fast to be searched.', count: 5000 },
    ]);
  });

  it('is repeated while its condition lasts, or told once that has lasted, where that is wanted', async () => {
    set(failed('one'));
    await begin(rule('failed', { repeatHours: 2 }), rule('failed', { id: 'late', lastsMinutes: 10 }));
    await clock.advance(300 * MINUTE);
    expect(told.map((alert) => alert.rule)).toEqual(['failed', 'late', 'failed', 'failed']);
  });

  it('that is changed begins anew, and one that stays does not', async () => {
    set(failed('one'));
    await begin(rule('failed'), rule('failed', { id: 'second' }));
    put(rule('failed'), rule('failed', { id: 'second', lastsMinutes: 1 }));
    await clock.advance(2 * MINUTE);
    expect(told.map((alert) => alert.rule)).toEqual(['failed', 'second', 'second']);
    put();
    await clock.advance(MINUTE);
    expect(clock.pending).toBe(0);
  });
});

describe('an alert', () => {
  it('waits for the end of the quiet hours', async () => {
    const hourOf = (atMs: number) => `${String(new Date(atMs).getHours()).padStart(2, '0')}:00`;
    const now = clock.epochMs();
    settings = { rules: [], quietHours: { from: hourOf(now), to: hourOf(now + 120 * MINUTE) } };
    set(failed('one'));
    await begin(rule('failed'));
    await clock.advance(30 * MINUTE);
    expect(told).toEqual([]);
    await clock.advance(120 * MINUTE);
    expect(titles()).toEqual(['one failed']);
  });

  it('for a desktop that is not there is reported', async () => {
    stopDesktop();
    set(failed('one'));
    await begin(rule('failed'));
    expect(logged).toMatchObject([{ server: 'one', reason: 'This panel runs without a window.' }]);
  });

  it('without a webhook that could take it is reported after three tries', async () => {
    set(failed('one'));
    await begin(rule('failed', { to: ['webhook'] }));
    await clock.advance(MINUTE);
    const unsent = { rule: 'failed', what: 'failed', reason: 'No webhook is set.', count: 1 };
    expect(logged).toEqual([{ server: 'one', ...unsent }]);
    expect(alerts.unsent).toMatchObject([unsent]);
    alerts.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('quiet hours', () => {
  const at = (hours: number, minutes = 0) => new Date(2026, 10, 27, hours, minutes);

  it('may have midnight between them', () => {
    const night = { from: '22:00', to: '07:30' };
    expect([at(22), at(0), at(7, 29)].map((time) => isQuietAt(night, time))).toEqual([true, true, true]);
    expect([at(21, 59), at(7, 30), at(12)].map((time) => isQuietAt(night, time))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are none if they are not set, or end where they begin', () => {
    expect(isQuietAt(undefined, at(3))).toBe(false);
    expect(isQuietAt({ from: '08:00', to: '08:00' }, at(8))).toBe(false);
    expect(isQuietAt({ from: '08:00', to: '12:00' }, at(9))).toBe(true);
  });
});
