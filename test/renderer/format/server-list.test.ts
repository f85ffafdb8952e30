import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { stateKinds } from '../../../shared/server-states.ts';
import {
  arrangeServers,
  countByFilter,
  emptyFilterWords,
  rowText,
} from '../../../renderer/format/server-list.ts';
import { everyServer, type ListChoice, serverFilters } from '../../../renderer/format/list-choice.ts';
import { aSample, aServer } from '../builders.ts';
import { describeOrigin } from '../../../renderer/format/server-origin.ts';
import { engineWords, whereOf } from '../../../renderer/format/server-place.ts';
import { inContainer } from '../../../shared/container-entry.ts';

const inState = (name: string, kind: ServerView['state']['kind'], changes: Partial<ServerView> = {}) =>
  aServer(name, { state: { kind, since: 0 }, ...changes });

const arrange = (servers: readonly ServerView[], choice: Partial<ListChoice> & { search?: string } = {}) =>
  arrangeServers(servers, { ...everyServer, search: '', ...choice });

const namesOf = (servers: readonly ServerView[], choice: Partial<ListChoice> & { search?: string }) =>
  arrange(servers, choice).groups.flatMap(({ names }) => names);

const oneOfEach = stateKinds.map((kind) => inState(kind, kind));

describe('arrangeServers', () => {
  it('lists every server in one group, in the order given, when nothing is chosen', () => {
    expect(arrange(oneOfEach).groups).toEqual([{ title: '', names: [...stateKinds] }]);
  });

  it('lets each filter through what it says', () => {
    const servers = [...oneOfEach, inState('off', 'stopped', { disabled: true })];
    expect(namesOf(servers, { filter: 'attention' })).toEqual(['suspect', 'stalled', 'backoff', 'failed']);
    expect(namesOf(servers, { filter: 'running' })).toEqual(['starting', 'running']);
    expect(namesOf(servers, { filter: 'stopped' })).toEqual(['stopped', 'stopping', 'off']);
    expect(namesOf(servers, { filter: 'disabled' })).toEqual(['off']);
  });

  it('counts a server that is being started again among those in trouble, not among those that run', () => {
    const again = [inState('again', 'starting', { restartAttempt: 1 })];
    expect(namesOf(again, { filter: 'attention' })).toEqual(['again']);
    expect(namesOf(again, { filter: 'running' })).toEqual([]);
  });

  it('counts an unstable server among those that run and those that need attention, behind what is down', () => {
    const unstable = { ends24h: 3, ends7d: 3, since: 0, lastEndAt: 0 };
    const servers = [
      inState('shaky', 'running', { unstable }),
      inState('down', 'failed'),
      inState('fine', 'running'),
      inState('put-away', 'stopped', { unstable }),
    ];
    expect(arrange(servers).attention).toEqual(['down', 'shaky']);
    expect(namesOf(servers, { filter: 'running' })).toEqual(['shaky', 'fine']);
    expect(arrange(servers, { grouping: 'state' }).groups.map(({ title }) => title)).toEqual([
      'Failed',
      'Unstable',
      'Running',
      'Stopped',
    ]);
    for (const search of ['unstable', 'running']) expect(namesOf(servers, { search })).toContain('shaky');
  });

  it('narrows by the search within the filter', () => {
    expect(namesOf(oneOfEach, { filter: 'attention', search: 'sta' })).toEqual(['stalled', 'backoff']);
  });

  it('names what needs attention whatever is listed', () => {
    const { attention, groups } = arrange(oneOfEach, { filter: 'stopped' });
    expect(attention).toEqual(['suspect', 'stalled', 'backoff', 'failed']);
    expect(groups.flatMap(({ names }) => names)).not.toContain('failed');
  });

  it('groups by state, trouble first, without empty groups', () => {
    const servers = ['stopped', 'running', 'failed', 'running'] as const;
    const named = servers.map((kind, index) => inState(`${kind}-${index}`, kind));
    expect(arrange(named, { grouping: 'state' }).groups).toEqual([
      { title: 'Failed', names: ['failed-2'] },
      { title: 'Running', names: ['running-1', 'running-3'] },
      { title: 'Stopped', names: ['stopped-0'] },
    ]);
  });

  it('groups by transport', () => {
    const servers = [aServer('a', { transport: 'http' }), aServer('b'), aServer('c', { transport: 'sse' })];
    expect(arrange(servers, { grouping: 'transport' }).groups.map(({ title }) => title)).toEqual([
      'HTTP+SSE',
      'stdio',
      'Streamable HTTP',
    ]);
  });

  it.each([
    ['npx -y @scope/server', 'npx'],
    ['/usr/local/bin/uvx mcp-server', 'uvx'],
    ['C:\\Program Files\\nodejs\\node.exe server.js', 'node'],
    ['npx.cmd -y x', 'npx'],
    ['docker', 'docker'],
  ])('groups %s under the program %s', (target, title) => {
    expect(arrange([aServer('a', { target })], { grouping: 'command' }).groups[0]?.title).toBe(title);
  });

  it('puts all that is reached and not run under one heading', () => {
    const remote = ['a', 'b'].map((name) =>
      aServer(name, { transport: 'http', target: `https://${name}.example/mcp` }),
    );
    expect(arrange(remote, { grouping: 'command' }).groups).toEqual([{ title: 'Remote', names: ['a', 'b'] }]);
  });
});

describe('countByFilter', () => {
  it('counts what each filter would list, and every filter has words for nothing', () => {
    const counts = countByFilter(oneOfEach);
    for (const filter of serverFilters) {
      expect(counts[filter]).toBe(namesOf(oneOfEach, { filter }).length);
      expect(emptyFilterWords[filter]).toMatch(/^[A-Z].*\.$/);
    }
  });
});

it('the row of a server as text has its state, figures and command, with tabs between them', () => {
  const sample = aSample(1, { memoryBytes: 92 * 1024 * 1024, cpuPercent: 0.3 });
  const server = aServer('github', { sample, target: 'npx -y github' });
  expect(rowText(server)).toBe('github\tRunning\t92.0 MiB\t0.3 %\tnpx -y github');
  expect(rowText(aServer('x', { target: 'y' })).split('\t')).toHaveLength(5);
});

const servers = [
  aServer('a', { target: 'node server.js', host: { kind: 'process' } }),
  aServer('b', { target: 'docker run -i --rm x', host: { kind: 'container', engine: 'docker' } }),
  aServer('c', { target: 'docker compose run x', host: { kind: 'process' } }),
  aServer('d', { target: 'https://mcp.example.org', transport: 'http' }),
];

describe('where a server runs', () => {
  it('is a word of its row, save in the usual places', () => {
    expect(servers.map((server) => whereOf(server).words)).toEqual([
      undefined,
      'in docker',
      'not measured',
      undefined,
    ]);
  });

  it('groups the list', () => {
    const { groups } = arrangeServers(servers, { ...everyServer, grouping: 'place', search: '' });
    expect(groups).toEqual([
      { title: 'In a container, not measured', names: ['c'] },
      { title: 'In docker', names: ['b'] },
      { title: 'Remote', names: ['d'] },
      { title: 'This machine', names: ['a'] },
    ]);
  });

  it('is a cluster with its state for the servers in its pods', () => {
    const pod = { kind: 'pod', engine: 'work/mcp' } as const;
    const inPods = [
      aServer('e', { target: 'docker run -i x', host: pod }),
      aServer('f', { target: 'docker run -i x', host: { ...pod, isOutOfReach: true } }),
    ];
    expect(whereOf(inPods[0]!).words).toBe('in work/mcp');
    expect(engineWords(inPods, [], 0)).toBe('out of reach');
  });

  it('does not hide the package behind its image', () => {
    const choice = { engine: 'podman' as const, server: 's', version: undefined, folders: [] };
    const entry = inContainer({ command: 'npx', args: ['-y', '@acme/files', '/data'] }, choice);
    const target = [entry?.command, ...(entry?.args ?? [])].join(' ');
    expect(describeOrigin({ transport: 'stdio', target })).toBe('@acme/files');
  });
});

describe('servers on one engine', () => {
  const sample = { at: 0, memoryBytes: 100 * 1024 * 1024, cpuPercent: 2, processCount: 1 };
  const host = { kind: 'container' as const, engine: 'far', engineVersion: '28.2.1' };
  const [one, other] = [
    aServer('a', { host, sample }),
    aServer('b', { host: { ...host, isOutOfReach: true }, sample }),
  ];
  const lost = {
    id: '1',
    at: 10_000,
    server: null,
    kind: 'engine-lost' as const,
    detail: { engine: 'far', reason: 'x' },
  };

  it('are told with their version and what they use together', () => {
    expect(engineWords([one, one], [], 0)).toBe('Docker 28.2.1 · 200 MiB · 4.0 %');
  });

  it('are told with the time since which their engine is out of reach', () => {
    expect(engineWords([one, other], [lost], 70_000)).toContain('out of reach for 1 m');
    expect(engineWords([one, other], [], 70_000)).toContain('· out of reach ·');
  });

  it('are no group where one of them is a process', () => {
    expect(engineWords([one, aServer('c', { host: { kind: 'process' } })], [], 0)).toBeUndefined();
    expect(engineWords([], [], 0)).toBeUndefined();
  });
});
