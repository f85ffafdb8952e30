import { describe, expect, it } from 'vitest';
import { describeOrigin } from '../../../renderer/format/server-origin.ts';
import { everyServer } from '../../../renderer/format/list-choice.ts';
import { arrangeServers } from '../../../renderer/format/server-list.ts';
import { whereOf } from '../../../renderer/format/server-place.ts';
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
    const { groups } = arrangeServers(inPods, { ...everyServer, grouping: 'place', search: '' });
    expect(groups).toEqual([{ title: 'In work/mcp', trouble: 'out of reach', names: ['e', 'f'] }]);
  });

  it('does not hide the package behind its image', () => {
    const choice = { engine: 'podman' as const, server: 's', version: undefined, folders: [] };
    const entry = inContainer({ command: 'npx', args: ['-y', '@acme/files', '/data'] }, choice);
    const target = [entry?.command, ...(entry?.args ?? [])].join(' ');
    expect(describeOrigin({ transport: 'stdio', target })).toBe('@acme/files');
  });
});
