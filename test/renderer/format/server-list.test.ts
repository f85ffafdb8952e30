import { describe, expect, it } from 'vitest';
import { type ServerView } from '../../../shared/domain.ts';
import { stateKinds } from '../../../shared/server-states.ts';
import { arrangeServers, countByFilter, emptyFilterWords } from '../../../renderer/format/server-list.ts';
import { everyServer, serverFilters, type ListChoice } from '../../../renderer/format/list-choice.ts';
import { aServer } from '../builders.ts';

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
