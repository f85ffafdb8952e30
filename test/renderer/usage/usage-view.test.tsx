// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Series, SeriesQuery, SeriesReply } from '../../../shared/history.ts';
import { chooseLive } from '../../../renderer/store/span-choice.ts';
import { UsageView } from '../../../renderer/usage/usage-view.tsx';
import { aReply, aSeries, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';
import { withTotals } from '../with-totals.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 1_800_000_000_000;
const MIB = 2 ** 20;

useFakeLayout();

/** Figures of a server that used the same all the time, in buckets of a minute up to now. */
function steady(server: string, { from, metrics }: SeriesQuery, mib: number): Series[] {
  const index = Array.from({ length: Math.floor((NOW - from) / MINUTE) }, (_, bucket) => bucket);
  return metrics.map((metric) => {
    const avg = index.map(() => (metric === 'memoryBytes' ? mib * MIB : mib / 10));
    return aSeries(server, metric, index, avg, { max: avg.map((figure) => figure * 2) });
  });
}

const replyTo = ({ from, to }: SeriesQuery, series: Series[]): SeriesReply =>
  withTotals(aReply({ from, to, series }));

interface Shown {
  readonly names: readonly string[];
  /** Servers that were removed since. */
  readonly removed?: readonly string[];
  /** Servers that run in a container of docker. */
  readonly boxed?: readonly string[];
  readonly getSeries?: (query: SeriesQuery) => Promise<SeriesReply>;
  /** Share of the time before in which the panel ran; none by default. */
  readonly ranBefore?: number;
}

/** Usage of servers of which the first used 100 MiB, the second 90, and so on. */
async function show({ names, removed = [], boxed = [], getSeries, ranBefore = 0 }: Shown) {
  const asked: SeriesQuery[] = [];
  const answer = (query: SeriesQuery): SeriesReply =>
    replyTo(
      query,
      [...query.servers, ...(query.withOthers === true ? removed : [])].flatMap((server, place) =>
        steady(server, query, 100 - 10 * place),
      ),
    );
  const ask = (query: SeriesQuery) => {
    // Totals alone: of the time before, and of the week by which many servers get their first colours.
    if (query.maxBuckets === 1) return Promise.resolve(earlier(query));
    asked.push(query);
    return getSeries?.(query) ?? Promise.resolve(answer(query));
  };
  const earlier = ({ from, to }: SeriesQuery): SeriesReply =>
    aReply({
      ...{ from, to, stepMs: to - from },
      absences: [{ from, to: to - ranBefore * (to - from) }],
      totals: [{ server: null, metric: 'memoryBytes', average: 80 * MIB } as never],
    });
  const servers = names.map((name) =>
    aServer(name, boxed.includes(name) ? { host: { kind: 'container', engine: 'docker' } } : {}),
  );
  const services = servicesWith({ getSeries: ask }, { servers }, '#/usage');
  services.clock.setState({ now: NOW });
  services.view.setState({ span: chooseLive(HOUR) });
  render(inWindow(services, <UsageView />));
  await act(async () => {});
  return { services, asked };
}

/** Two servers of 100 MiB each, and of half of that a week ago. */
const weekAgoHalf = (query: SeriesQuery): SeriesReply =>
  replyTo(
    query,
    query.servers.flatMap((server) => steady(server, query, query.to < NOW - 86_400_000 ? 50 : 100)),
  );

const cellsOf = (row: HTMLElement) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent);
const rowsOf = (table: string) => within(screen.getByRole('table', { name: table })).getAllByRole('row');
const findCursor = () => screen.findByRole('slider', { name: 'Time cursor of all servers' });
const cursor = () => screen.getByRole('slider', { name: 'Time cursor of all servers' });
const words = () => cursor().getAttribute('aria-valuetext');

describe('the usage of all servers', () => {
  it('is asked for at once, and tells average, peak and share of each', async () => {
    const { asked } = await show({ names: ['browser', 'search'] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      servers: ['browser', 'search'],
      metrics: ['memoryBytes', 'cpuPercent'],
    });
    expect(asked[0]!.to - asked[0]!.from).toBe(HOUR);
    expect(rowsOf('Memory by server').map(cellsOf).slice(1)).toEqual([
      ['browser', '100 MiB', '200 MiB', '53 %'],
      ['search', '90 MiB', '180 MiB', '47 %'],
    ]);
    await screen.findByText('average 190 MiB · peak 290 MiB');
  });

  it('draws all servers of the same time last week as one thin line, and names both at the cursor', async () => {
    const { services } = await show({
      names: ['browser', 'search'],
      getSeries: (query) => Promise.resolve(weekAgoHalf(query)),
    });
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Compare with' }),
      'Compare: last week',
    );
    await screen.findByText(/^average 200 MiB \(▲ 100 %\)/);
    expect(document.querySelectorAll('[data-curve="compared"]')).toHaveLength(2);
    act(() => services.view.setState({ pinnedAt: NOW - HOUR / 2 }));
    expect(words()).toMatch(/all servers: Memory 200 MiB, .*; last week: Memory 100 MiB, /);
  });

  it('counts servers that were removed since, and says so', async () => {
    await show({ names: ['browser'], removed: ['old'] });
    expect(rowsOf('Memory by server').map(cellsOf).slice(1)).toEqual([
      ['browser', '100 MiB', '200 MiB', '53 %'],
      ['old removed', '90 MiB', '180 MiB', '47 %'],
    ]);
    await screen.findByText('average 190 MiB · peak 290 MiB');
  });

  it('counts the servers of one place alone, if one is chosen, and offers none where all run in one', async () => {
    const { asked } = await show({ names: ['browser', 'search'], removed: ['old'], boxed: ['search'] });
    const where = () => screen.queryByRole('combobox', { name: 'Where they run' });
    expect([...where()!.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'Everywhere',
      'In docker',
      'This machine',
    ]);
    await userEvent.selectOptions(where()!, 'In docker');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ servers: ['search'], withOthers: false }));
    expect(rowsOf('Memory by server').map(cellsOf).slice(1)).toEqual([
      ['search', '100 MiB', '200 MiB', '100 %'],
    ]);
    cleanup();
    await show({ names: ['browser', 'search'] });
    expect(where()).toBeNull();
  });

  it('asks for fewer buckets of many servers, so that no answer holds up the window', async () => {
    const { asked } = await show({ names: Array.from({ length: 100 }, (_, index) => `server-${index}`) });
    expect(asked[0]!.servers).toHaveLength(100);
    expect(asked[0]!.maxBuckets * 100).toBeLessThanOrEqual(12_000);
  });

  it('leads from a name to the page of its server, one stop of the Tab key for each list', async () => {
    await show({ names: ['browser', 'search'] });
    const links = within(screen.getByRole('table', { name: 'Memory by server' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#/servers/browser', '#/servers/search']);
    expect(links.map((link) => link.tabIndex)).toEqual([0, -1]);
    links[0]!.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(links[1]);
  });

  it('tells by the keyboard what each server used at an instant, and opens the one that is pointed at', async () => {
    await show({ names: ['browser', 'search'] });
    (await findCursor()).focus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(words()).toContain('all servers: Memory 190 MiB, CPU 19 %');
    await userEvent.keyboard('{ArrowUp}');
    expect(words()).toContain('browser: Memory 100 MiB, CPU 10 %');
    await userEvent.keyboard('{ArrowUp}');
    expect(words()).toContain('search: Memory 90 MiB, CPU 9.0 %');
    await userEvent.keyboard('{Enter}');
    expect(window.location.hash).toBe('#/servers/search');
  });

  it('gives up its cursor with Escape', async () => {
    await show({ names: ['browser'] });
    (await findCursor()).focus();
    await userEvent.keyboard('{ArrowLeft}{Escape}');
    expect(words()).toBe('not placed');
  });

  it('shows the others with every server in a table, which can be sorted', async () => {
    await show({ names: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] });
    const list = screen.getByRole('table', { name: 'Memory by server' });
    await userEvent.click(within(list).getByRole('button', { name: '2 others' }));
    expect(rowsOf('Usage by server').map(cellsOf)[1]?.slice(0, 5)).toEqual([
      'a',
      ...['100 MiB', '100 MiB', '200 MiB', '19 %'],
    ]);
    expect(rowsOf('Usage by server').map((row) => cellsOf(row)[0])).toEqual([
      ...['Server', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'All servers'],
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'CPU peak' }));
    const sorted = screen
      .getAllByRole('columnheader')
      .filter((head) => head.getAttribute('aria-sort') === 'descending');
    expect(sorted.map(({ textContent }) => textContent)).toEqual(['CPU peak']);
  });

  it('shows the span of another choice, and one that was zoomed to stands still until Escape', async () => {
    const { services, asked } = await show({ names: ['browser'] });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Time shown' }), '24 h');
    await waitFor(() => expect(asked.at(-1)!.to - asked.at(-1)!.from).toBe(24 * HOUR));
    const span = { from: NOW - 2 * HOUR, to: NOW - HOUR };
    await act(async () =>
      services.view.setState({
        span: { choice: { kind: 'still', span }, before: [{ kind: 'live', spanMs: 24 * HOUR }] },
      }),
    );
    expect(asked.at(-1)).toMatchObject(span);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(services.view.getState().span.choice).toEqual({ kind: 'live', spanMs: 24 * HOUR });
  });

  it('tells the change against the time before, where that is known for the most part', async () => {
    await show({ names: ['browser'], ranBefore: 0.9 });
    await screen.findByText('average 100 MiB (▲ 25 %) · peak 200 MiB');
    cleanup();
    await show({ names: ['browser'], ranBefore: 0.7 });
    await screen.findByText('average 100 MiB · peak 200 MiB');
  });

  it('says what went wrong when the past cannot be read, and asks again', async () => {
    let isBroken = true;
    const { asked } = await show({
      names: ['browser'],
      getSeries: (query) =>
        isBroken
          ? Promise.reject(new Error('the history is closed'))
          : Promise.resolve(replyTo(query, steady('browser', query, 64))),
    });
    expect(screen.getByText(/Could not read the past/)).toBeDefined();
    isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('average 64 MiB · peak 128 MiB');
    expect(asked).toHaveLength(2);
    expect(screen.queryByText(/Could not read the past/)).toBeNull();
  });

  it('says that there is nothing yet, without servers and without figures', async () => {
    const nothing = async ({ from, to }: SeriesQuery) => aReply({ from, to });
    await show({ names: ['far'], getSeries: nothing });
    expect(screen.getByText(/Nothing was measured in the last 1 h/)).toBeDefined();
    cleanup();
    const { asked } = await show({ names: [] });
    expect(asked).toEqual([]);
    expect(screen.getByText(/Add a server/)).toBeDefined();
  });
});
