// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutputLine } from '../../../shared/domain.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import { toLogLines } from '../../../renderer/format/log-lines.ts';
import { ServerLogs } from '../../../renderer/logs/server-logs.tsx';
import { ServicesContext } from '../../../renderer/services.ts';
import { giveLayout } from './fake-layout.ts';

let undoLayout = () => {};
beforeEach(() => (undoLayout = giveLayout()));
afterEach(() => {
  cleanup();
  undoLayout();
});

const aLine = (id: number, text = `line ${id}`): OutputLine => ({ id, at: 1000 * id, generation: 1, text });
const someLines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => aLine(first + index));

/** Logs of a server in a page, with these lines. */
async function showLogs(lines: readonly OutputLine[]) {
  const api = new Proxy({} as ControlPanelApi, {
    get: (_, name) => () =>
      name === 'getEarlierOutput' ? Promise.resolve([]) : new Promise(() => undefined),
  });
  const services = createServices(api, '');
  render(
    <MantineProvider env="test">
      <ServicesContext value={services}>
        <ServerLogs name="one" />
      </ServicesContext>
    </MantineProvider>,
  );
  const { state } = services.output;
  let kept = toLogLines(lines);
  const put = () =>
    act(async () => state.setState({ server: 'one', earlier: [], lines: kept, isLoaded: true }));
  await put();
  return {
    services,
    log: screen.getByRole('log', { name: 'Logs' }),
    /** Adds lines, and cuts as many from the head. */
    pass: async (added: readonly OutputLine[]) => {
      kept = [...kept.slice(added.length), ...toLogLines(added)];
      await put();
    },
    append: async (added: readonly OutputLine[]) => {
      kept = [...kept, ...toLogLines(added)];
      await put();
    },
  };
}

const shown = (log: HTMLElement) =>
  [...log.querySelectorAll('[data-text]')].map((element) => element.textContent);
const search = () => screen.getByLabelText('Search the logs');
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('a log of 100,000 lines', () => {
  it('has only the rows near its view in the page', async () => {
    const { log } = await showLogs(someLines(1, 100_000));
    expect(log.querySelectorAll('li').length).toBeLessThan(100);
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100000'));
  });

  it('keeps the rows that stay while lines come and the oldest go', async () => {
    const { log, pass } = await showLogs(someLines(1, 100_000));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100000'));
    const before = new Map([...log.querySelectorAll('li')].map((row) => [row.textContent, row]));
    await pass(someLines(100_001, 100_005));
    await waitFor(() => expect(shown(log).at(-1)).toBe('line 100005'));
    const kept = [...log.querySelectorAll('li')].filter((row) => before.get(row.textContent) === row);
    expect(kept.length).toBeGreaterThanOrEqual(before.size - 5);
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
  const lines = [aLine(1, 'needle one'), ...someLines(2, 300), aLine(301, 'Needle two'), aLine(302, 'end')];

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

  it('hides the other lines as a filter, which keeps the numbers and leads back to the neighbours', async () => {
    const { log } = await showLogs(lines);
    press('Show only matching lines');
    await userEvent.type(search(), 'needle');
    await waitFor(() => expect(shown(log)).toEqual(['needle one', 'Needle two']));
    expect(screen.getByText('stderr, 2 of 302 lines')).toBeTruthy();
    expect([...log.querySelectorAll('[data-does="select"]')].map((one) => one.textContent)).toEqual([
      '1',
      '301',
    ]);
    press('Show line 1 among its neighbours');
    await waitFor(() => expect(shown(log)).toContain('line 2'));
    expect(log.querySelector('[data-current]')?.textContent).toContain('needle one');
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

describe('the level of a log', () => {
  it('leaves the lines of that level and above, with the stacks below them', async () => {
    const texts = ['[info] up', '[error] boom', '    at main', '[warn] slow', 'plain'];
    const { log } = await showLogs(texts.map((text, index) => aLine(index + 1, text)));
    const level = screen.getByLabelText('Level');
    fireEvent.change(level, { target: { value: 'warning' } });
    await waitFor(() => expect(shown(log)).toEqual(['[error] boom', '    at main', '[warn] slow']));
    fireEvent.change(level, { target: { value: 'error' } });
    await waitFor(() => expect(shown(log)).toEqual(['[error] boom', '    at main']));
  });
});

describe('lines that are selected', () => {
  it('are told, extended and let go', async () => {
    const { log } = await showLogs(someLines(1, 10));
    fireEvent.mouseDown(screen.getByText('3', { selector: '[data-does]' }));
    fireEvent.mouseDown(screen.getByText('5', { selector: '[data-does]' }), { shiftKey: true });
    await screen.findByText(/^3 lines selected/);
    fireEvent.keyDown(log, { key: 'ArrowDown', shiftKey: true });
    await screen.findByText(/^4 lines selected/);
    fireEvent.keyDown(log, { key: 'a', ctrlKey: true });
    await screen.findByText(/^10 lines selected/);
    fireEvent.keyDown(log, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText(/selected/)).toBeNull());
  });
});

describe('a long line', () => {
  it('is shown in part until the rest is asked for', async () => {
    const { log } = await showLogs([aLine(1, 'x'.repeat(1024 * 1024))]);
    expect(shown(log)[0]?.length).toBe(2000);
    fireEvent.click(screen.getByText(/show all 1.048.576 characters/));
    await waitFor(() => expect(shown(log)[0]?.length).toBe(1024 * 1024));
  });
});

describe('lines that were lost', () => {
  it('are told where they are missing', async () => {
    await showLogs([...someLines(1, 3), ...someLines(10, 12)]);
    expect(screen.getByText('6 lines came too fast to be kept here')).toBeTruthy();
  });
});
