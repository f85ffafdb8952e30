import { describe, expect, it } from 'vitest';
import { describeOrigin } from '../../../renderer/format/server-origin.ts';
import { everyServer } from '../../../renderer/format/list-choice.ts';
import { arrangeServers } from '../../../renderer/format/server-list.ts';
import { engineWords, whereOf } from '../../../renderer/format/server-place.ts';
import { inContainer } from '../../../shared/container-entry.ts';
import { aServer } from '../builders.ts';

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
