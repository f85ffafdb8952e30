import { describe, expect, it } from 'vitest';
import { stateKinds, stateWords } from '../../../shared/server-states.ts';
import { Navigation } from '../../../renderer/views/navigation.tsx';
import { aSample, aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

const GIB = 1024 ** 3;
const servers = stateKinds.map((kind) =>
  aServer(kind, {
    state: { kind, since: 0 },
    ...(kind !== 'asleep' && { sample: aSample(1, { memoryBytes: GIB / 8, cpuPercent: 12 }) }),
  }),
);
const machine = { memoryBytes: 24 * GIB, coreCount: 2 };

describe('Navigation', () => {
  const markup = render(<Navigation />, { servers, machine });

  it('has a link to the page of each server, which says its state to who does not see the shape', () => {
    for (const { name, state } of servers)
      expect(tagOf(markup, `${name}: ${stateWords[state.kind]}`)).toContain(`href="#/servers/${name}"`);
  });

  it('tells an unstable server from one that just runs', () => {
    const unstable = { ends24h: 3, ends7d: 3, since: 0, lastEndAt: 0 };
    const list = render(<Navigation />, { servers: [aServer('fine'), aServer('shaky', { unstable })] });
    expect(tagOf(list, 'shaky: Unstable')).toContain('href="#/servers/shaky"');
    expect(tagOf(list, 'fine: Running')).not.toBe('');
  });

  it('keeps the end of a long name, by which names out of a registry differ', () => {
    const name = 'io.github.modelcontextprotocol-server-filesystem';
    const list = render(<Navigation />, { servers: [aServer(name)] });
    expect(list.slice(list.indexOf(`aria-label="${name}: Running"`))).toMatch(
      />io\.github\.modelcontextprotocol<\/span><span class="[^"]*">-server-filesystem<\/span>/,
    );
  });

  it('has one stop of Tab in the list, however many servers there are', () => {
    const list = markup.slice(markup.indexOf('aria-label="Servers by name"')).split('</ul>')[0]!;
    expect(count(list, 'tabindex="0"')).toBe(1);
    expect(count(list, 'tabindex="-1"')).toBe(servers.length - 1);
  });

  it('offers a search where the list is long, and no list where there are no servers', () => {
    const many = Array.from({ length: 30 }, (_, index) => aServer(`server-${index}`));
    expect(count(markup, 'aria-label="Find a server"')).toBe(0);
    const onPage = render(<Navigation />, { servers: many }, ({ route }) =>
      route.setState({ route: { view: 'usage' } }),
    );
    expect(count(onPage, 'aria-label="Find a server"')).toBe(1);
    // The list of servers has a search of its own.
    expect(count(render(<Navigation />, { servers: many }), 'aria-label="Find a server"')).toBe(0);
    expect(count(render(<Navigation />, { servers: [] }), 'Servers by name')).toBe(0);
  });

  it('marks the page that is open in the list, and at the view that holds it', () => {
    const open = render(<Navigation />, { servers }, ({ route }) =>
      route.setState({ route: { view: 'server', name: 'running', tab: 'logs' } }),
    );
    expect(tagOf(open, 'running: Running')).toContain('aria-current="page"');
    expect(tagOf(open, 'Servers')).toContain('aria-current="location"');
    expect(count(open, 'aria-current="page"')).toBe(1);
  });

  it('says at its foot what all servers take of the machine, and the bare figure where the machine is unknown', () => {
    const words = (text: string) => text.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|');
    expect(words(markup)).toContain('|Memory|1 GiB|of 24 GiB|');
    expect(words(markup)).toContain('|CPU|96 %|of 200 %|');
    expect(words(render(<Navigation />, { servers }))).toContain('|Memory|1 GiB|CPU|96 %|');
  });
});
