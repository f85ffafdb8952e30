// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LeftBehindSection } from '../../../renderer/clients/left-behind.tsx';
import { eventLine } from '../../../renderer/format/event-words.ts';
import { leftBehindText } from '../../../renderer/format/left-behind-text.ts';
import type { EndLeftOutcome, LeftTreeView } from '../../../shared/ipc/topics/left-behind.ts';
import { button, press, showView, tick } from '../hands.ts';
import { servicesWith } from '../in-window.ts';
import { DAY_MS } from '../../../shared/units.ts';

const MIB = 1024 * 1024;
const NOW = new Date(2026, 10, 27, 12).getTime();

const aTree = (id: string, changes: Partial<LeftTreeView> = {}): LeftTreeView => ({
  ...{ id, client: 'Claude Code', server: id, program: `${id}-mcp`, pids: [10, 11], memoryBytes: 300 * MIB },
  ...{ startedAt: NOW - 15 * DAY_MS, certain: true, listens: false },
  processes: [
    { pid: 10, ppid: 1, startTime: 'a', program: 'sh', commandLine: `sh -c ${id}`, memoryBytes: MIB },
    {
      pid: 11,
      ppid: 10,
      startTime: 'b',
      program: 'node',
      commandLine: `node ${id}.js`,
      memoryBytes: 299 * MIB,
    },
  ],
  ...changes,
});

/** The section over trees that go away by being ended. */
async function show(first: readonly LeftTreeView[], refuse: EndLeftOutcome['refused'] = []) {
  let trees = first;
  const asked: (readonly string[])[] = [];
  const looks: number[] = [];
  const services = servicesWith(
    {
      findLeftBehind: () => (looks.push(1), Promise.resolve([...trees])),
      endLeftBehind: (ids) => {
        asked.push(ids);
        const ended = ids.filter((id) => refuse.every((one) => one.id !== id));
        trees = trees.filter(({ id }) => !ended.includes(id));
        return Promise.resolve({ ended, spared: [], refused: refuse });
      },
    },
    {},
  );
  services.clock.setState({ now: NOW });
  await showView(services, <LeftBehindSection />);
  return { asked, looks, services, become: (next: readonly LeftTreeView[]) => void (trees = next) };
}

const row = (name: string) => within(screen.getByRole('row', { name, hidden: true }));
const lines = (name: string) =>
  within(screen.getByRole('list', { name, hidden: true }))
    .getAllByRole('listitem', { hidden: true })
    .map((one) => one.textContent);

const told = () =>
  [...screen.getByRole('status', { name: 'Ended processes', hidden: true }).children].map(
    (one) => one.textContent,
  );

describe('what clients left behind', () => {
  it('is told in one sentence', () => {
    const start = NOW - 15 * DAY_MS;
    const words = (...trees: readonly LeftTreeView[]) => leftBehindText(trees, NOW);
    const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(start);
    expect(words(aTree('a'), aTree('b', { memoryBytes: 1748 * MIB }))).toBe(
      `4 processes that Claude Code left behind since ${day} use 2 GiB`,
    );
    expect(words(aTree('a'), aTree('b', { client: 'Codex' }))).toMatch(/^4 processes that clients left/);
    expect(words(aTree('a', { certain: false, pids: [1] }))).toBe(
      `1 process that Claude Code may have left behind since ${day} uses 300 MiB`,
    );
  });

  it('is listed with its processes, and not shown where there is nothing', async () => {
    const { become, looks, services } = await show([]);
    expect(screen.queryByRole('region', { hidden: true })).toBeNull();
    become([aTree('search')]);
    await act(async () => services.clock.setState({ now: NOW + 29_000 }));
    expect(looks).toHaveLength(1);
    await act(async () => services.clock.setState({ now: NOW + 30_000 }));
    expect(row('search (search-mcp)').getByText('Claude Code')).toBeTruthy();
    await press('Details: search (search-mcp)');
    expect(button('Details: search (search-mcp)').getAttribute('aria-expanded')).toBe('true');
    expect(lines('Processes of search (search-mcp)')).toEqual([
      'sh -c searchpid 101.00 MiB',
      'node search.jspid 11299 MiB',
    ]);
  });

  it('is ended after a question that lists it, and the outcome is told', async () => {
    const { asked } = await show([aTree('search'), aTree('git')]);
    await press('End search (search-mcp)');
    expect(lines('Processes to end')).toEqual(['search (search-mcp), 2 processes, 300 MiB']);
    await press('Keep them');
    expect(asked).toEqual([]);
    await press('End search (search-mcp)');
    await press('End 2 processes');
    expect(asked).toEqual([['search']]);
    expect(told()).toEqual(['Ended 2 processes, which used 300 MiB.']);
    expect(document.activeElement?.getAttribute('role')).toBe('status');
    expect(screen.queryByRole('row', { name: 'search (search-mcp)', hidden: true })).toBeNull();
  });

  it('is ended all together, but what listens only where it was ticked', async () => {
    const { asked } = await show([aTree('search'), aTree('git'), aTree('web', { listens: true })]);
    await press('End all…');
    expect(lines('Processes to end')).toHaveLength(2);
    await press('End 4 processes');
    expect(asked).toEqual([['search', 'git']]);
    await press('End web (web-mcp)');
    await press('End 2 processes');
    expect(asked[1]).toEqual(['web']);
    const again = await show([aTree('search'), aTree('web', { listens: true })]);
    await press('End all…');
    await tick(/^Also web \(web-mcp\)/);
    await press('End 4 processes');
    expect(again.asked).toEqual([['search', 'web']]);
  });

  it('says why something was not ended', async () => {
    await show([aTree('search')], [{ id: 'search', reason: 'It may be in use.' }]);
    await press('End search (search-mcp)');
    await press('End 2 processes');
    expect(told()).toEqual(['Not ended: search (search-mcp). It may be in use.']);
  });

  it('is only shown, with the reason, where the system does not tell whether it is in use', async () => {
    await show([aTree('search', { certain: false })]);
    expect(row('search (search-mcp)').getByText(/does not say/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^End/, hidden: true })).toBeNull();
  });

  it('is a line of Activity', () => {
    const detail = { client: 'Claude Code', count: 3, memoryBytes: 1229 * MIB, programs: ['a-mcp', 'b-mcp'] };
    expect(eventLine({ kind: 'left-behind', detail })).toBe(
      'Claude Code left 3 processes behind · 1.20 GiB · a-mcp, b-mcp',
    );
    expect(eventLine({ kind: 'left-behind', detail: {} })).toBe('a client left processes behind');
  });
});
