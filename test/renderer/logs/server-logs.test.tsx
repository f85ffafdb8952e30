// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogLine } from '../../../shared/log-lines.ts';
import { ServerLogs } from '../../../renderer/views/server-page.tsx';
import { formatMoment } from '../../../renderer/format/moments.ts';
import { parseRoute } from '../../../renderer/store/route-store.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { aLine, FakeLog, someLines } from './fake-log.ts';
import { useFakeLayout } from './fake-layout.ts';

useFakeLayout();
let stopRouting = () => {};
beforeEach(() => (window.location.hash = '#/servers/one/logs'));
afterEach(() => stopRouting());

/** Logs of a server in a page, with these lines. */
async function showLogs(lines: readonly LogLine[]) {
  const fake = new FakeLog(lines);
  const services = servicesWith(fake, undefined, window.location.hash);
  const route = () => services.route.setState({ route: parseRoute(window.location.hash) });
  window.addEventListener('hashchange', route);
  stopRouting = () => window.removeEventListener('hashchange', route);
  render(inWindow(services, <ServerLogs name="one" />));
  const log = await screen.findByRole('log', { name: 'Logs' });
  await waitFor(() => expect(log.querySelector('li')).not.toBeNull());
  const tick = () => act(async () => services.clock.setState(({ now }) => ({ now: now + 1000 })));
  return {
    services,
    fake,
    log,
    tick,
    append: async (added: readonly LogLine[]) => {
      fake.lines = [...fake.lines, ...added];
      await tick();
    },
  };
}

const shown = (log: HTMLElement) =>
  [...log.querySelectorAll('[data-text]')].map((element) => element.textContent);
const search = () => screen.getByLabelText('Search the logs');
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

const texts = (log: HTMLElement) => shown(log).map((text) => Number(text?.replace('line ', '')));

describe('a log of 100,000 lines', () => {
  it('begins at its end, with only the rows near its view in the page', async () => {
    const { log, fake } = await showLogs(someLines(1, 100_000));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100000'));
    expect(log.querySelectorAll('li').length).toBeLessThan(100);
    expect(fake.asked.length).toBeLessThan(5);
  });

  it('fetches what is scrolled to, and stays where it is meanwhile', async () => {
    const { log } = await showLogs(someLines(1, 100_000));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100000'));
    for (let press = 0; press < 2; press += 1) {
      const before = Math.min(...texts(log));
      fireEvent.keyDown(log, { key: 'Home' });
      await waitFor(() => expect(Math.min(...texts(log))).toBeLessThan(before - 500));
    }
  });

  it('keeps the rows that stay while lines come', async () => {
    const { log, append } = await showLogs(someLines(1, 100_000));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100000'));
    const before = new Map([...log.querySelectorAll('li')].map((row) => [row.textContent, row]));
    await append(someLines(100_001, 100_005));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100005'));
    const kept = [...log.querySelectorAll('li')].filter((row) => before.get(row.textContent) === row);
    expect(kept.length).toBeGreaterThanOrEqual(before.size - 6);
  });
});

describe('a log that is read above its end', () => {
  it('stays there, and counts what comes below', async () => {
    const { log, append } = await showLogs(someLines(1, 500));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 500'));
    fireEvent.keyDown(log, { key: 'Home' });
    fireEvent.scroll(log);
    expect(log.scrollTop).toBe(0);
    await append(someLines(501, 503));
    expect(log.scrollTop).toBe(0);
    expect(screen.getByRole('button', { name: '3 new lines' })).toBeTruthy();
    press('3 new lines');
    fireEvent.scroll(log);
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 503'));
    expect(screen.queryByText(/new line/)).toBeNull();
  });
});

describe('the search of a log', () => {
  const lines = [
    aLine(1, { text: 'needle one' }),
    ...someLines(2, 300),
    aLine(301, { text: 'Needle two' }),
    aLine(302, { text: 'end' }),
  ];

  it('counts the lines that match, and steps through them from the newest on', async () => {
    await showLogs(lines);
    await userEvent.type(search(), 'needle');
    await screen.findByText('2 of 2 lines');
    fireEvent.keyDown(search(), { key: 'Enter' });
    await screen.findByText('1 of 2 lines');
    fireEvent.keyDown(search(), { key: 'Enter', shiftKey: true });
    await screen.findByText('2 of 2 lines');
    fireEvent.keyDown(document, { key: 'F3' });
    await screen.findByText('1 of 2 lines');
    press('Match case');
    await screen.findByText('1 of 1 line');
  });

  it('hides the other lines as a filter, which leads back to the neighbours', async () => {
    const { log } = await showLogs(lines);
    press('Show only matching lines');
    await userEvent.type(search(), 'needle');
    await waitFor(() => expect(shown(log)).toEqual(['needle one', 'Needle two']));
    press('Show needle one with the lines around it');
    await waitFor(() => expect(shown(log)).toContain('line 2'));
    expect(log.querySelector('[data-current]')?.textContent).toContain('needle one');
  });

  it('goes on beyond the lines in the page, tells how far it is, and shows the line with its neighbours', async () => {
    const { log, fake } = await showLogs([aLine(0, { text: 'needle' }), ...someLines(1, 25_000)]);
    let open = () => {};
    await userEvent.type(search(), 'needle');
    await screen.findByText(/^No match in .+ lines · Enter searches all that are kept$/, undefined, {
      timeout: 15_000,
    });
    fake.gate = new Promise<void>((resolve) => (open = resolve));
    fireEvent.keyDown(search(), { key: 'Enter' });
    await screen.findByText(/^Searched/);
    open();
    await waitFor(() => expect(shown(log)).toContain('needle'));
    expect(shown(log)).toContain('line 3');
  });

  it('is given up with Escape, which leaves the words and the place', async () => {
    const { fake } = await showLogs(someLines(1, 40_000));
    await userEvent.type(search(), 'needle');
    fake.gate = new Promise(() => undefined);
    fireEvent.keyDown(search(), { key: 'Enter' });
    await screen.findByText(/^Searched/);
    fireEvent.keyDown(search(), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText(/^Searched/)).toBeNull());
    expect((search() as HTMLInputElement).value).toBe('needle');
  });

  it('says what is wrong with a pattern, and shows every line meanwhile', async () => {
    const { log } = await showLogs(lines);
    press('Search for a pattern');
    fireEvent.change(search(), { target: { value: '(needle' } });
    await screen.findByText('Missing closing ): (needle');
    expect(shown(log).length).toBeGreaterThan(2);
    fireEvent.change(search(), { target: { value: '^needle o' } });
    await screen.findByText('1 of 1 line');
  });

  it('is kept for the next log of this window', async () => {
    const { services } = await showLogs(lines);
    press('Wrap long lines');
    await userEvent.type(search(), 'x');
    expect(services.view.getState().logs).toMatchObject({ wraps: false, words: 'x' });
  });
});

describe('the choice of lines', () => {
  it('is kept in the route, and asked of the core', async () => {
    const { fake } = await showLogs(someLines(1, 5));
    fireEvent.change(screen.getByLabelText('Level'), { target: { value: 'warning' } });
    await waitFor(() => expect(window.location.hash).toBe('#/servers/one/logs?level=warning'));
    await waitFor(() =>
      expect(fake.asked.at(-1)?.filter).toEqual({
        servers: ['one'],
        leastLevel: 'warning',
        withoutOwn: true,
      }),
    );
    press('Show every line');
    await waitFor(() => expect(window.location.hash).toBe('#/servers/one/logs'));
  });

  it('that leaves nothing says so, and leads back', async () => {
    const { log } = await showLogs(someLines(1, 5));
    fireEvent.click(screen.getByLabelText('Traffic'));
    await screen.findByText(/No lines match these filters/);
    fireEvent.click(screen.getAllByRole('button', { name: 'Show every line' })[0]!);
    await waitFor(() => expect(shown(log)).toContain('line 5'));
  });
});

describe('lines that are selected', () => {
  const times = (log: HTMLElement) => [...log.querySelectorAll('[data-does="select"]')];

  it('are told, extended and let go', async () => {
    const { log } = await showLogs(someLines(1, 10));
    fireEvent.mouseDown(times(log)[2]!);
    fireEvent.mouseDown(times(log)[4]!, { shiftKey: true });
    await screen.findByText(/^3 lines selected/);
    fireEvent.keyDown(log, { key: 'ArrowDown', shiftKey: true });
    await screen.findByText(/^4 lines selected/);
    fireEvent.keyDown(log, { key: 'a', ctrlKey: true });
    await screen.findByText(/^10 lines selected/);
    fireEvent.keyDown(log, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText(/selected/)).toBeNull());
  });

  it('are walked through with the arrows, and have the menu of their moment', async () => {
    const at = Date.now() - 3_600_000;
    const { log, services } = await showLogs(someLines(1, 10).map((line) => ({ ...line, at })));
    fireEvent.mouseDown(times(log)[4]!);
    fireEvent.keyDown(log, { key: 'ArrowUp' });
    await screen.findByText(/^1 line selected/);
    press(`This moment in…: ${formatMoment(at)}`);
    expect(services.manage.state.getState().menu?.of).toEqual({ at, server: 'one' });
  });
});

it('says of a message of the traffic that its content is no longer kept', async () => {
  const traffic = {
    direction: 'to-server',
    kind: 'request',
    method: 'tools/call',
    hasContent: true,
  } as const;
  await showLogs([aLine(1, { source: 'traffic', text: '→ tools/call search', traffic })]);
  fireEvent.click(screen.getByRole('button', { name: 'What the message said' }));
  await screen.findByText(/no longer kept/);
});

describe('a long line', () => {
  it('is shown in part until the rest is asked for', async () => {
    const { log } = await showLogs([aLine(1, { text: 'x'.repeat(4000) })]);
    expect(shown(log)[0]?.length).toBe(2000);
    fireEvent.click(screen.getByText(/show all 4.?000 characters/));
    await waitFor(() => expect(shown(log)[0]?.length).toBe(4000));
  });
});

describe('a line with colours', () => {
  it('shows them, and is searched, marked and copied as plain text', async () => {
    const { log } = await showLogs([aLine(1, { text: 'a \u001b[31mred\u001b[0m word' })]);
    expect(shown(log)).toEqual(['a red word']);
    expect(log.querySelector('[data-text] span')?.textContent).toBe('red');
    await userEvent.type(search(), 'a red w');
    await screen.findByText('1 of 1 line');
  });
});

describe('the time of a log', () => {
  it('is that of all views: one that ends now goes on, a fixed one does not, and a pinned moment is where it opens', async () => {
    const { log, append, services, fake } = await showLogs(someLines(1, 100));
    act(() => services.clock.setState({ now: 101_000 }));
    act(() => services.view.setState({ span: { choice: { kind: 'live', spanMs: 11_000 }, before: [] } }));
    await waitFor(() => expect(shown(log)[0]).toBe('line 90'));
    await append(someLines(101, 103));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 103'));
    expect(shown(log)[0]).toBe('line 90');

    const span = { from: 20_000, to: 30_000 };
    act(() => services.view.setState({ span: { choice: { kind: 'still', span }, before: [] } }));
    await waitFor(() => expect(shown(log)).toEqual(someLines(20, 29).map(({ text }) => text)));
    await append([aLine(104)]);
    expect(shown(log)).toHaveLength(10);

    act(() => services.view.setState({ pinnedAt: 25_000 }));
    await waitFor(() => expect(fake.asked.at(-2)).toMatchObject({ filter: span, beside: { at: 25_000 } }));
  });

  it('that has no lines can be left for every line', async () => {
    const { log, services } = await showLogs(someLines(1, 3));
    const span = { from: 50_000, to: 60_000 };
    act(() => services.view.setState({ span: { choice: { kind: 'still', span }, before: [] } }));
    fireEvent.click(await screen.findByText('Show every line'));
    await waitFor(() => expect(shown(log)).toHaveLength(3));
  });
});
