import { describe, expect, it } from 'vitest';
import { toItems } from '../../../renderer/offer/offer-items.ts';
import { Overview } from '../../../renderer/views/overview.tsx';
import { ServerListPane } from '../../../renderer/views/server-list.tsx';
import { toolWords } from '../../../renderer/views/row-cells.tsx';
import { anOffer, aSample, aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

const mib = 1024 * 1024;
const servers = [
  aServer('alpha', {
    target: 'npx -y @acme/alpha',
    serverInfo: { name: 'alpha', version: '1.2.0' },
    sample: aSample(5, { memoryBytes: 30 * mib, cpuPercent: 101 }),
  }),
  aServer('beta', { sample: aSample(5, { memoryBytes: 90 * mib, cpuPercent: 1 }) }),
  aServer('gamma', { state: { kind: 'stopped', since: 0 } }),
];
const rowsOf = (markup: string) => [...markup.matchAll(/data-server="([^"]*)"/g)].map((match) => match[1]);

describe('the list of servers', () => {
  const markup = render(<Overview />, { servers }, ({ view }) => view.setState({ showsProcesses: true }));

  it('has a header for each column, which says how the rows are sorted', () => {
    const headers = [...markup.matchAll(/role="columnheader" aria-sort="(\w+)"/g)].map((match) => match[1]);
    expect(headers).toEqual(['ascending', 'none', 'none', 'none', 'none', 'none', 'none']);
    const sorted = render(<Overview />, { servers }, ({ view }) =>
      view.setState({ sortBy: 'memory', isDescending: true }),
    );
    expect(count(sorted, 'aria-sort="descending"')).toBe(1);
    expect(rowsOf(sorted)).toEqual(['beta', 'alpha', 'gamma']);
  });

  it('says what each server is, below its name', () => {
    expect(markup).toContain('@acme/alpha · v1.2.0<');
  });

  it('says how many tools a server has, once it was asked for them', () => {
    const asked = render(<Overview />, { servers }, ({ inspectors }) => {
      const { state } = inspectors.of('alpha');
      state.setState({ items: toItems(anOffer({ tools: [{ name: 'one' }, { name: 'two' }] })) });
      Object.assign(state, { getInitialState: state.getState });
    });
    expect(asked).toContain('@acme/alpha · v1.2.0 · 2 tools<');
    expect(count(asked, ' tools<')).toBe(1);
  });

  it('counts the tools that are not shown, too', () => {
    const items = toItems(anOffer({ tools: [{ name: 'one' }] }));
    const part = { list: 'tools', shown: 1, total: 9000, isAtLeast: false } as const;
    expect(toolWords({ items, parts: [part] })).toBe('9000 tools');
    expect(toolWords({ items, parts: [{ ...part, isAtLeast: true }] })).toBe('more than 9000 tools');
    expect(toolWords({ items, parts: [] })).toBe('1 tool');
    expect(toolWords({ items: undefined, parts: [] })).toBeUndefined();
  });

  it('fills the ground of a figure by its share', () => {
    expect(markup).toContain('var(--memory) 76%');
    expect(markup).toContain('var(--memory) 26%');
  });

  it('marks a CPU that stays over its warning, in words too', () => {
    const over = render(<Overview />, { servers }, ({ history }) =>
      [6, 7, 8].forEach((at) =>
        history.append([aServer('alpha', { sample: aSample(at, { cpuPercent: 120 }) })]),
      ),
    );
    expect(over).toContain('aria-label="CPU 101 %, over its warning: warn above 80 %"');
    expect(markup).toContain('aria-label="CPU 101 %"');
  });

  it('leaves out the columns that were switched off', () => {
    const fewer = render(<Overview />, { servers }, ({ view }) =>
      view.setState({ showsDay: false, showsUptime: false }),
    );
    expect(count(fewer, 'role="columnheader"')).toBe(5);
    expect(fewer).not.toContain('aria-label="Processes');
    expect(markup).toContain('aria-label="Processes 1"');
  });

  it('puts the commands for the selected servers in the place of the filters', () => {
    const selecting = render(<Overview />, { servers }, ({ view }) =>
      view.setState({
        selection: { names: new Set(['alpha', 'gamma']), anchor: undefined, end: undefined },
      }),
    );
    expect(selecting).toContain('2 selected');
    for (const verb of ['Start', 'Stop', 'Restart'])
      expect(tagOf(selecting, `${verb} 2 selected`)).not.toContain('disabled=""');
    expect(selecting).toContain('Remove…');
    expect(tagOf(selecting, 'Copy names')).toMatch(/^button/);
    expect(selecting).not.toContain('aria-label="Search servers"');
    expect(count(selecting, 'aria-selected="true"')).toBe(2);
  });

  it('has the commands for all servers, off where they mean nothing', () => {
    const plain = markup;
    expect(plain).toContain('Stop all · 2</button>');
    expect(plain).toMatch(/disabled=""[^>]*>Restart failed<\/button>/);
  });
});

describe('the list beside the page of a server', () => {
  it('has every row with its link and its figures, and leaves the buttons to the page', () => {
    const markup = render(<ServerListPane open="beta" />, { servers }, ({ route }) =>
      route.setState({ route: { view: 'server', name: 'beta', tab: 'overview' } }),
    );
    expect(rowsOf(markup)).toEqual(['alpha', 'beta', 'gamma']);
    expect(count(markup, 'aria-current="page"')).toBe(1);
    expect(tagOf(markup, 'beta')).toContain('aria-current="page"');
    for (const name of ['Start beta', 'Stop beta', 'Restart beta', 'More for beta'])
      expect(tagOf(markup, name)).toBe('');
    expect(tagOf(markup, 'Open alpha')).toMatch(/^a href/);
  });
});
