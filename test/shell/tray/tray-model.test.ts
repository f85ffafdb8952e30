import { describe, expect, it } from 'vitest';
import { type StateKind, stateKinds } from '../../../shared/server-states.ts';
import {
  badgeOf,
  tooltipOf,
  trayModel,
  type TrayItem,
  type TrayServer,
} from '../../../electron/shell/tray/tray-model.ts';
import { bestFirst } from '../../../electron/shell/tray/tray-words.ts';
import { stateTable } from '../../shared/state-table.ts';

const server = (name: string, kind: StateKind): TrayServer => ({
  name,
  state: { kind, since: 0 },
  restartAttempt: 0,
});
const servers = (...kinds: StateKind[]) => kinds.map((kind, index) => server(`s${index}`, kind));
const labels = (items: readonly TrayItem[]) => items.map((item) => (item === 'separator' ? '-' : item.label));

describe('tooltipOf', () => {
  it('counts the servers of each state, the well ones first', () => {
    const many = servers('failed', 'running', 'running', 'backoff', 'running', 'running', 'running');
    expect(tooltipOf(many)).toBe('5 running · 1 restarting · 1 failed');
  });

  it('says so when there is no server', () => {
    expect(tooltipOf([])).toBe('No servers');
  });

  it('names every state there is', () => {
    expect([...bestFirst].sort()).toEqual([...stateKinds].sort());
    expect(tooltipOf(servers(...stateKinds)).split(' · ')).toHaveLength(stateKinds.length);
  });
});

describe('badgeOf', () => {
  it.each([
    [['running', 'failed', 'stalled'], 'failed'],
    [['running', 'stalled', 'backoff'], 'stalled'],
    [['suspect', 'backoff'], 'backoff'],
    [['starting', 'suspect'], 'suspect'],
    [['running', 'starting'], 'starting'],
  ] as const)('shows the worst of %j: %s', (kinds, badge) => {
    expect(badgeOf(servers(...kinds))).toBe(badge);
  });

  it('is absent while all is as it should be', () => {
    expect(badgeOf(servers('running', 'stopped', 'stopping'))).toBeUndefined();
    expect(badgeOf([])).toBeUndefined();
  });
});

describe('trayModel', () => {
  it.each(stateTable)(
    'says and offers what the window does: $kind, automatic starts $restartAttempt',
    ({ kind, restartAttempt, word, commands }) => {
      const [item] = trayModel([{ ...server('one', kind), restartAttempt }]).items;
      if (item === undefined || item === 'separator' || !('submenu' in item)) throw new Error('no submenu');
      expect(item.label.split(': ')[1]).toBe(word);
      const offered = item.submenu.flatMap((entry) =>
        entry !== 'separator' && 'isEnabled' in entry && entry.isEnabled ? [entry.label] : [],
      );
      expect(offered).toEqual([...commands, 'Open']);
    },
  );

  it('judges a server that is started again by itself as the window does', () => {
    const restarting = [{ ...server('one', 'starting'), restartAttempt: 1 }];
    expect(badgeOf(restarting)).toBe('backoff');
    expect(tooltipOf(restarting)).toBe('1 restarting');
  });

  it('lists servers worst first, each with shape and word, and keeps the order of the file within a state', () => {
    const model = trayModel([
      server('memory', 'running'),
      server('everything', 'running'),
      server('github', 'backoff'),
      server('postgres', 'failed'),
    ]);
    expect(labels(model.items)).toEqual([
      '⊗ postgres: Failed',
      '▲ github: Restarting',
      '● memory: Running',
      '● everything: Running',
      '-',
      'Show window',
      'Quit',
    ]);
  });

  it('leaves to the window what does not fit on a screen', () => {
    const model = trayModel(Array.from({ length: 100 }, (_, index) => server(`s${index}`, 'running')));
    expect(labels(model.items).slice(-4)).toEqual(['70 more…', '-', 'Show window', 'Quit']);
  });

  it('is equal for servers that look the same', () => {
    const at = (since: number): TrayServer[] => [
      { name: 'a', state: { kind: 'running', since }, restartAttempt: 0 },
    ];
    expect(trayModel(at(1))).toEqual(trayModel(at(2)));
  });

  it('has no servers to list but can still show the window and quit', () => {
    expect(labels(trayModel([]).items)).toEqual(['Show window', 'Quit']);
  });
});
