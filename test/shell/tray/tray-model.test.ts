import { describe, expect, it } from 'vitest';
import { type StateKind, stateKinds } from '../../../shared/server-states.ts';
import { badgeOf, trayModel, type TrayItem } from '../../../electron/shell/tray/tray-model.ts';
import {
  bestFirst,
  headWords,
  reasonLine,
  tooltipWords,
  type TrayServer,
} from '../../../electron/shell/tray/tray-words.ts';
import { stateTable } from '../../shared/state-table.ts';

const server = (name: string, kind: StateKind): TrayServer => ({
  name,
  state: { kind, since: 0 },
  restartAttempt: 0,
});
const servers = (...kinds: StateKind[]) => kinds.map((kind, index) => server(`s${index}`, kind));
const afterServers = ['-', 'Open MCP Control Panel', 'Settings', 'About', 'Quit', 'Quit and stop serving'];
const labels = (items: readonly TrayItem[]) => items.map((item) => (item === 'separator' ? '-' : item.label));

const MIB = 1024 * 1024;
const using = (name: string, memoryMib: number, sharedMib?: number): TrayServer => ({
  ...server(name, 'running'),
  sample: {
    at: 0,
    processCount: 1,
    memoryBytes: memoryMib * MIB,
    ...(sharedMib !== undefined && { sharedMemoryBytes: sharedMib * MIB }),
  },
});

describe('tooltipWords', () => {
  it('begins with the name of the app, and counts the servers of each state, the well ones first', () => {
    const many = servers('failed', 'running', 'running', 'backoff', 'running', 'running', 'running');
    expect(tooltipWords(many)).toBe('MCP Control Panel: 5 running · 1 restarting · 1 failed');
  });

  it('says so when there is no server', () => {
    expect(tooltipWords([])).toBe('MCP Control Panel: no servers');
  });

  it('counts unstable servers apart from those that just run, and says in the menu how often they stopped', () => {
    const unstable = { ends24h: 2, ends7d: 14, since: 0, lastEndAt: 0 };
    const all = [server('fine', 'running'), { ...server('browser', 'running'), unstable }];
    expect(tooltipWords(all)).toBe('MCP Control Panel: 1 running · 1 unstable');
    expect(headWords(all)).toBe('1 running, 1 unstable');
    const { items, badge } = trayModel(all);
    expect(labels(items).slice(2, 5)).toEqual([
      '◈ browser: Unstable',
      '      14 unplanned stops in 7 days, 2 of them in 24 h',
      '● fine: Running',
    ]);
    expect(badge).toBeUndefined();
    const down = { ...server('browser', 'failed'), unstable };
    expect(tooltipWords([down])).toBe('MCP Control Panel: 1 failed');
  });

  it('names every state there is', () => {
    expect([...bestFirst].sort()).toEqual([...stateKinds, 'unstable'].sort());
    expect(tooltipWords(servers(...stateKinds)).split(' · ')).toHaveLength(stateKinds.length);
  });
});

describe('headWords', () => {
  it('counts the servers, and adds up their memory, with about what they take in RAM beside it', () => {
    const many = [using('a', 800, 50), using('b', 500, 50), server('c', 'failed')];
    expect(headWords(many)).toBe('2 running, 1 failed · 1.3 GiB, ≈ 1.2 GiB in RAM, shared pages once');
  });

  it('is the same for memory that differs by less than is read at a glance', () => {
    expect(headWords([using('a', 182)])).toBe('1 running · 180 MiB');
    expect(headWords([using('a', 178)])).toBe(headWords([using('a', 182)]));
  });

  it('names no memory that nobody has measured', () => {
    expect(headWords(servers('running'))).toBe('1 running');
    expect(headWords([])).toBe('No servers');
  });
});

describe('reasonLine', () => {
  const because = (kind: StateKind, reason: string): TrayServer => ({
    ...server('one', kind),
    state: { kind, since: 0, reason },
  });

  it('says why a server is in trouble, and nothing of one that is well', () => {
    expect(reasonLine(because('failed', 'exit code 1'))?.trim()).toBe('exit code 1');
    expect(reasonLine(because('running', 'installing'))).toBeUndefined();
    expect(reasonLine(server('one', 'failed'))).toBeUndefined();
  });

  it('prefers the short words of the cause', () => {
    const state = {
      kind: 'failed',
      since: 0,
      reason: 'exit code 1: …',
      reasonData: { phrase: 'Docker is not running' },
    };
    expect(reasonLine({ ...server('one', 'failed'), state } as TrayServer)?.trim()).toBe(
      'Docker is not running',
    );
  });

  it('is one line that fits, and marks no access key', () => {
    const line = reasonLine(because('failed', `a & b ${'x'.repeat(200)}\nsecond`))!;
    expect(line.trim()).toMatch(/^a && b x+…$/);
    expect(line.length).toBeLessThan(90);
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
      const item = trayModel([{ ...server('one', kind), restartAttempt }]).items[2];
      if (item === undefined || item === 'separator' || !('submenu' in item)) throw new Error('no submenu');
      expect(item.label.split(': ')[1]).toBe(word);
      const offered = item.submenu.flatMap((entry) =>
        entry !== 'separator' && 'isEnabled' in entry && entry.isEnabled ? [entry.label] : [],
      );
      expect(offered).toEqual([...commands, 'Open']);
    },
  );

  it('lists servers worst first, each with shape and word, and keeps the order of the file within a state', () => {
    const model = trayModel([
      server('memory', 'running'),
      server('everything', 'running'),
      server('github', 'backoff'),
      server('postgres', 'failed'),
    ]);
    expect(labels(model.items)).toEqual([
      '2 running, 1 restarting, 1 failed',
      '-',
      '⊗ postgres: Failed',
      '▲ github: Restarting',
      '● memory: Running',
      '● everything: Running',
      '-',
      'Stop all',
      'Restart failed',
      ...afterServers,
    ]);
  });

  it('leaves to the window what does not fit on a screen', () => {
    const model = trayModel(Array.from({ length: 100 }, (_, index) => server(`s${index}`, 'running')));
    expect(labels(model.items).slice(-10)).toEqual([
      ...['70 more…', '-', 'Stop all', 'Restart failed'],
      ...afterServers,
    ]);
  });

  it.each<[readonly StateKind[], boolean, boolean]>([
    [['running', 'failed'], true, true],
    [['running'], true, false],
    [['failed', 'stopped'], false, true],
    [['stopped', 'stopping'], false, false],
  ])(
    'stops all, and restarts what failed, where there is something to, in the tray and in the dock: %j',
    (kinds, stops, restarts) => {
      const { items, forAll } = trayModel(servers(...kinds));
      expect(items).toEqual(expect.arrayContaining([...forAll]));
      expect(forAll.map(({ label, isEnabled }) => [label, isEnabled])).toEqual([
        ['Stop all', stops],
        ['Restart failed', restarts],
      ]);
    },
  );

  it('counts failed servers for the icon of the dock', () => {
    expect(trayModel(servers('failed', 'running', 'failed')).failed).toBe(2);
  });

  it('is equal for servers that look the same', () => {
    const at = (since: number): TrayServer[] => [
      { name: 'a', state: { kind: 'running', since }, restartAttempt: 0 },
    ];
    expect(trayModel(at(1))).toEqual(trayModel(at(2)));
  });

  it('has no servers to list but can still show the window and quit', () => {
    expect(labels(trayModel([]).items)).toEqual(['No servers', ...afterServers]);
  });
});
