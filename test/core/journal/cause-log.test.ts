import { describe, expect, it } from 'vitest';
import { EventLog } from '../../../electron/core/journal/event-log.ts';
import { CauseLog } from '../../../electron/core/journal/cause-log.ts';
import { diffConfigs } from '../../../electron/core/config/config-diff.ts';
import type { ConfigChange } from '../../../electron/core/config/servers-file.ts';
import { toKeptEvent } from '../../../electron/core/journal/journal.ts';
import type { EventDetails, EventKind, PanelEvent } from '../../../shared/events.ts';
import type { ServerEntry } from '../../../shared/server-config.ts';
import { configOf } from '../../support/config-of.ts';
import { HOUR_MS } from '../../../shared/units.ts';

/** A launch of the panel at a time of day that the test sets. */
function launch(earlier: readonly PanelEvent[] = [], startedAt = 0) {
  const clock = { at: startedAt, epochMs: () => clock.at };
  const log = new EventLog({ wallClock: clock, launchId: String(startedAt), earlier });
  const journal = {
    get events() {
      return log.events;
    },
    append: <K extends EventKind>(server: string | null, kind: K, detail: EventDetails[K]) =>
      void log.append(
        server,
        toKeptEvent(kind, detail, (value) => value),
      ),
    onEvent: (listener: (event: PanelEvent) => void) => log.appended.subscribe(listener),
    flushSync: () => undefined,
  };
  const causes = new CauseLog({ journal, wallClock: clock, appVersion: '1.2.0' });
  const since = earlier.length;
  return { clock, causes, journal, told: () => log.events.slice(since), all: () => log.events };
}

const upAs = (version: string, name = 'files') => ({ stableAfterMs: 1, serverInfo: { name, version } });
const entries = (servers: Record<string, ServerEntry>) =>
  Object.entries(servers).map(([name, entry]) => configOf(entry, name));
function changeOf(
  before: Record<string, ServerEntry>,
  after: Record<string, ServerEntry>,
  cause: ConfigChange['cause'] = 'file',
): ConfigChange {
  const previous = { servers: entries(before), notices: [] };
  const current = { servers: entries(after), notices: [] };
  return { previous, current, cause, diff: diffConfigs(previous.servers, current.servers) };
}

describe('the panel itself', () => {
  it('tells at its start for how long it had not run', () => {
    const first = launch();
    first.causes.panelStarted();
    expect(first.told()).toMatchObject([
      { kind: 'panel-started', server: null, detail: { version: '1.2.0' } },
    ]);
    expect(first.told()[0]?.detail).toEqual({ version: '1.2.0' });
    first.clock.at = HOUR_MS;
    first.causes.panelQuit();
    const second = launch(first.all(), 8 * HOUR_MS);
    second.causes.panelStarted();
    expect(second.told()[0]?.detail).toEqual({ version: '1.2.0', absentMs: 7 * HOUR_MS });
  });

  it('tells at its start that the one before had ended without quitting', () => {
    const first = launch();
    first.causes.panelStarted();
    first.journal.append('one', 'crashed', { code: 'CRASHED', message: 'It ended.' });
    const second = launch(first.all(), HOUR_MS);
    second.causes.panelStarted();
    expect(second.told()[0]?.detail).toEqual({ version: '1.2.0', endedUncleanly: true });
  });

  it('says nothing of the end of a panel that never started, and of an end only once', () => {
    const { causes, told } = launch();
    causes.panelQuit();
    expect(told()).toEqual([]);
    causes.panelStarted();
    causes.panelQuit();
    causes.panelQuit();
    expect(told().map(({ kind }) => kind)).toEqual(['panel-started', 'panel-quit']);
  });
});

describe('sleep of the machine', () => {
  it('is one event, at the end, with its length', () => {
    const { clock, causes, told } = launch();
    causes.suspended();
    clock.at = 5000;
    causes.suspended();
    clock.at = HOUR_MS;
    causes.resumed();
    expect(told()).toMatchObject([
      { at: HOUR_MS, server: null, kind: 'system-resumed', detail: { sleptMs: HOUR_MS } },
    ]);
  });

  it('has no length where only the waking was heard of, and none below zero when the clock is set back', () => {
    const { clock, causes, told } = launch([], HOUR_MS);
    causes.resumed();
    causes.suspended();
    clock.at = 0;
    causes.resumed();
    expect(told().map(({ detail }) => detail)).toEqual([{}, { sleptMs: 0 }]);
  });
});

describe('the version of a server', () => {
  const versionEvents = (events: readonly PanelEvent[]) =>
    events.filter(({ kind }) => kind === 'server-version-changed');

  it('is told behind the start that shows it, when it is another than the last one seen', () => {
    const { journal, told } = launch();
    journal.append('one', 'started', upAs('1.0.0'));
    journal.append('two', 'started', upAs('3.0.0'));
    journal.append('one', 'restarted', upAs('1.0.0'));
    journal.append('one', 'restarted', upAs('1.1.0'));
    journal.append('one', 'restarted', upAs('1.1.0'));
    expect(told().map(({ kind }) => kind)).toEqual([
      'started',
      'started',
      'restarted',
      'restarted',
      'server-version-changed',
      'restarted',
    ]);
    expect(versionEvents(told())).toMatchObject([{ server: 'one', detail: { from: '1.0.0', to: '1.1.0' } }]);
  });

  it('is compared over launches', () => {
    const first = launch();
    first.journal.append('one', 'started', upAs('1.0.0'));
    const second = launch(first.all(), HOUR_MS);
    expect(second.told()).toEqual([]);
    second.journal.append('one', 'started', upAs('2.0.0'));
    expect(versionEvents(second.told())).toMatchObject([{ detail: { from: '1.0.0', to: '2.0.0' } }]);
  });

  it('is not compared with that of another program, of a further process, or of nothing', () => {
    const { journal, told } = launch();
    journal.append('one', 'started', upAs('1.0.0'));
    journal.append('one', 'started', { ...upAs('1.9.0'), instance: 'one#2' });
    journal.append('one', 'restarted', { stableAfterMs: 1 });
    journal.append('one', 'restarted', upAs('4.0.0', 'other'));
    expect(versionEvents(told())).toEqual([]);
  });
});

describe('an edit of servers.json', () => {
  const before = {
    kept: { command: 'a' },
    gone: { command: 'b' },
    moved: { command: 'c', env: { TOKEN: 'secret-one', HOST: 'x' }, args: ['1'] },
    tuned: { command: 'd', panel: { limits: { maxMemoryMiB: 512 } } },
  } satisfies Record<string, ServerEntry>;

  it('is one event for each server that it touched, with the names of fields, and values only of settings', () => {
    const { causes, told } = launch();
    const { kept } = before;
    const after = {
      kept,
      moved: { command: 'c', env: { TOKEN: 'secret-two', HOST: 'x' }, args: ['2'] },
      tuned: { command: 'd', disabled: true, panel: { limits: { maxMemoryMiB: 1024 } } },
      fresh: { url: 'http://127.0.0.1/mcp' },
    };
    causes.configChanged(changeOf(before, after));
    expect(told().map(({ server, detail }) => [server, detail])).toEqual([
      ['fresh', { change: 'added' }],
      ['gone', { change: 'removed' }],
      ['moved', { change: 'edited', fields: ['args', 'env.TOKEN'], restarts: true }],
      [
        'tuned',
        {
          change: 'edited',
          settings: [{ field: 'panel.limits.maxMemoryMiB', from: 512, to: 1024 }],
          fields: ['panel.limits.maxMemoryMiB', 'disabled'],
          isEnabled: false,
        },
      ],
    ]);
    expect(JSON.stringify(told())).not.toContain('secret');
  });

  it('is told without the values of settings that the panel does not know, because they may be secrets', () => {
    const { causes, told } = launch();
    const withNote = (note: string) => ({
      files: { command: 'files', env: { TOKEN: note }, panel: { note } },
    });
    causes.configChanged(changeOf(withNote('secret-1'), withNote('secret-2')));
    expect(told()[0]?.detail).toMatchObject({ fields: expect.arrayContaining(['env.TOKEN']) as unknown });
    expect(JSON.stringify(told())).not.toContain('secret-');
  });

  it('names what made another kind of server of it', () => {
    const { causes, told } = launch();
    causes.configChanged(changeOf({ a: { command: 'x' } }, { a: { url: 'http://127.0.0.1/mcp' } }));
    expect(told()[0]?.detail).toMatchObject({
      fields: expect.arrayContaining(['command', 'url', 'type']) as unknown,
    });
  });

  it('says nothing where nothing in force has changed', () => {
    const { causes, told } = launch();
    causes.configChanged(changeOf(before, before));
    causes.configChanged(changeOf(before, before, 'defaults'));
    expect(told()).toEqual([]);
  });

  it('is one event for all servers where their defaults changed', () => {
    const { causes, told } = launch();
    const raised = { panel: { calls: { timeoutMs: 1000 } } };
    causes.configChanged(
      changeOf(
        { a: { command: 'x' }, b: { command: 'y' } },
        { a: { command: 'x', ...raised }, b: { command: 'y', ...raised } },
        'defaults',
      ),
    );
    expect(told()).toMatchObject([
      {
        server: null,
        detail: {
          change: 'defaults',
          servers: ['a', 'b'],
          fields: ['panel.calls.timeoutMs'],
          settings: [{ field: 'panel.calls.timeoutMs', to: 1000 }],
        },
      },
    ]);
  });
});
