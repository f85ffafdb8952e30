// @vitest-environment happy-dom
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { SeriesQuery, SeriesReply } from '../../../shared/history.ts';
import { CompareView } from '../../../renderer/compare/compare-view.tsx';
import { chooseLive } from '../../../renderer/store/span-choice.ts';
import { anEvent, aReply, aSeries, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';
import { withTotals } from '../with-totals.ts';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;
const MIB = 2 ** 20;
const names = ['browser', 'memory', 'search', 'a', 'b', 'c', 'd'];

useFakeLayout();

/** Figures of servers that used ever more up to now: a MiB a minute, and only the search answers probes. */
const growing = ({ from, to, servers, metrics }: SeriesQuery) => {
  const index = Array.from({ length: Math.floor((NOW - from) / MINUTE) }, (_, bucket) => bucket);
  return aReply({
    ...{ from, to },
    series: servers.flatMap((server) =>
      metrics.map((metric) => {
        const known = metric === 'rttMs' && server !== 'search' ? [] : metric === 'openFiles' ? [] : index;
        const unit = metric === 'memoryBytes' ? MIB : 0.5;
        const avg = known.map((bucket) => (bucket + names.indexOf(server)) * unit);
        return aSeries(server, metric, known, avg, { max: avg.map((figure) => figure * 2) });
      }),
    ),
  });
};

interface Past {
  readonly reply?: Partial<SeriesReply>;
  readonly events?: readonly PanelEvent[];
}

/** Comparison of servers over an hour. */
async function show(servers: readonly string[], { reply, events = [] }: Past = {}) {
  const getSeries = (query: SeriesQuery) => Promise.resolve(withTotals({ ...growing(query), ...reply }));
  const services = servicesWith(
    { getSeries },
    { servers: names.map((name) => aServer(name)), events: [...events] },
  );
  services.clock.setState({ now: NOW });
  services.view.setState({ span: chooseLive(60 * MINUTE) });
  const view = (compared: readonly string[]) => inWindow(services, <CompareView servers={compared} />);
  const { rerender } = render(view(servers));
  await act(async () => {});
  return { again: (compared: readonly string[]) => act(async () => rerender(view(compared))) };
}

const linesOf = (figure: string) =>
  screen
    .findByRole('list', { name: `${figure} by server` })
    .then((list) => within(list).getAllByRole('link'));
/** Number of pieces that the line of a server has in the chart of a figure. */
const piecesOf = (figure: string, server: string) =>
  screen
    .getByRole('img', { name: new RegExp(`^${figure} over time`) })
    .querySelector(`[data-series="${server}"] [data-curve="line"]`)
    ?.getAttribute('d')
    ?.match(/M/g)?.length;
const chips = () => screen.getByRole('list', { name: 'Servers compared' });
const picker = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Add a server' });
const colourOf = (server: string) => {
  const chip = [...chips().querySelectorAll('li')].find(({ textContent }) => textContent === server);
  return chip?.querySelector('span')?.style.background;
};

describe('the comparison', () => {
  it('has a line for each server in each figure that any of them has, which leads to its page', async () => {
    await show(['search', 'browser']);
    expect((await linesOf('Memory')).map((link) => link.getAttribute('href'))).toEqual([
      '#/servers/search',
      '#/servers/browser',
    ]);
    expect((await linesOf('Round trip')).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('search'),
    ]);
    expect(screen.queryByRole('list', { name: 'Open files by server' })).toBeNull();
  });

  it('tells at a cursor what all of them had, and where the newest stand without one', async () => {
    await show(['browser', 'search']);
    const newest = (await linesOf('Memory')).map(({ textContent }) => textContent);
    const slider = screen.getByRole('slider', { name: 'Time cursor of the servers compared' });
    slider.focus();
    await userEvent.keyboard('{Home}');
    expect(slider.getAttribute('aria-valuetext')).toContain('Memory: browser 0 MiB, search 2 MiB');
    expect((await linesOf('Memory')).map(({ textContent }) => textContent)).toEqual([
      'browser0 MiB',
      'search2 MiB',
    ]);
    await userEvent.keyboard('{ArrowRight}');
    expect(slider.getAttribute('aria-valuetext')).toContain('Memory: browser 1 MiB, search 3 MiB');
    await userEvent.keyboard('{Escape}');
    expect(slider.getAttribute('aria-valuetext')).toBe('not placed');
    expect((await linesOf('Memory')).map(({ textContent }) => textContent)).toEqual(newest);
  });

  it('breaks every line where the panel did not run, however seldom its figure is measured', async () => {
    await show(['browser', 'search'], {
      reply: { absences: [{ from: NOW - 21 * MINUTE, to: NOW - 19 * MINUTE }] },
    });
    await linesOf('Memory');
    expect(['browser', 'search'].map((server) => piecesOf('Memory', server))).toEqual([2, 2]);
    expect(piecesOf('Round trip', 'search')).toBe(2);
  });

  it('breaks the lines of a server where a run of it ended, and where the computer slept those of all', async () => {
    await show(['browser', 'search'], {
      reply: { resolution: 'sample' },
      events: [
        anEvent('1', { at: NOW - 40 * MINUTE, server: 'search', kind: 'crashed' }),
        anEvent('2', { at: NOW - 30 * MINUTE, server: 'memory', kind: 'crashed' }),
        anEvent('3', {
          ...{ at: NOW - 18 * MINUTE, server: null },
          ...{ kind: 'system-resumed', detail: { sleptMs: 2 * MINUTE } },
        }),
      ],
    });
    await linesOf('Memory');
    expect(['browser', 'search'].map((server) => piecesOf('Memory', server))).toEqual([2, 3]);
    expect(piecesOf('Round trip', 'search')).toBe(3);
  });

  it('keeps what is compared in the address: a server is added by the picker and left out by its chip', async () => {
    await show(['browser', 'search']);
    await userEvent.selectOptions(picker(), 'memory');
    expect(window.location.hash).toBe('#/compare/browser,search,memory');
    await userEvent.click(within(chips()).getByRole('button', { name: 'Leave out browser' }));
    expect(window.location.hash).toBe('#/compare/search');
  });

  it('takes no more than six servers', async () => {
    await show(['browser', 'memory', 'search', 'a', 'b', 'c']);
    expect(picker().disabled).toBe(true);
  });

  it('keeps the colour of each server while others come and go', async () => {
    const { again } = await show(['browser', 'memory', 'search']);
    const before = ['memory', 'search'].map(colourOf);
    await again(['memory', 'search', 'a']);
    expect(['memory', 'search'].map(colourOf)).toEqual(before);
    expect(new Set(['memory', 'search', 'a'].map(colourOf)).size).toBe(3);
  });

  it('has a table of averages and peaks', async () => {
    await show(['browser', 'search']);
    await linesOf('Memory');
    await userEvent.click(screen.getByText('Table'));
    const table = screen.getByRole('table', { name: 'Servers compared' });
    const heads = within(table).getAllByRole('columnheader');
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      ...['Server', 'Memory average', 'Memory peak', 'CPU average', 'CPU peak'],
      ...['Round trip average', 'Round trip peak'],
    ]);
    const browser = within(table).getByRole('row', { name: /browser/ });
    expect(browser.textContent).toMatch(/browser.*MiB.*%.*––$/);
  });

  it('says what to do before a server is chosen', async () => {
    await show([]);
    expect(screen.getByText(/Choose up to six servers/)).toBeDefined();
    expect(screen.queryByRole('list', { name: 'Servers compared' })).toBeNull();
  });
});
