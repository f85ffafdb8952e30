// @vitest-environment happy-dom
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerView } from '../../shared/domain.ts';
import type { ClientView } from '../../shared/gateway.ts';
import type { PastEventsQuery, SeriesQuery } from '../../shared/history.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { TroubleBook } from '../../electron/core/story/trouble-book.ts';
import { openMetrics } from '../../electron/core/gateway/metrics/open-metrics.ts';
import { HistoryFile } from '../../electron/core/store/file/history-file.ts';
import { openFile } from '../../electron/core/store/file/open-file.ts';
import { readCalls } from '../../electron/core/store/file/read-calls.ts';
import { readPastEvents } from '../../electron/core/store/file/read-past-events.ts';
import { readSeries } from '../../electron/core/store/file/read-series.ts';
import { headWords } from '../../electron/shell/tray/tray-words.ts';
import { seriesCsv } from '../../renderer/charts/series-csv.ts';
import { CompareView } from '../../renderer/compare/compare-view.tsx';
import { windowEndingAt } from '../../renderer/charts/axis.ts';
import { createServices } from '../../renderer/create-services.ts';
import { UsageTiles } from '../../renderer/overview/usage-tiles.tsx';
import { ServicesContext } from '../../renderer/services.ts';
import { applySnapshot } from '../../renderer/store/panel-store.ts';
import { chooseLive } from '../../renderer/store/span-choice.ts';
import { ClientTable } from '../../renderer/clients/client-table.tsx';
import { RestartsTab } from '../../renderer/restarts/restarts-tab.tsx';
import { UsageView } from '../../renderer/usage/usage-view.tsx';
import { Activity } from '../../renderer/views/activity.tsx';
import { NavigationFoot } from '../../renderer/views/navigation.tsx';
import { ServerCharts } from '../../renderer/views/server-overview.tsx';
import { PageTabs } from '../../renderer/views/server-page.tsx';
import { ServerDetails } from '../../renderer/views/server-header.tsx';
import { ServerListPane } from '../../renderer/views/server-list.tsx';
import { writeMonth, type Month } from '../fixtures/month/write-month.ts';
import { patience } from '../support/patience.ts';
import { aServer, aSnapshot } from '../renderer/builders.ts';
import { anEnd, aStory } from '../renderer/restarts/story-builders.ts';
import { giveLayout } from '../renderer/logs/fake-layout.ts';
import { DAY_MS, WEEK_MS } from '../../shared/units.ts';

const NOW = Date.UTC(2026, 10, 24, 22, 8);
const STEP_MS = 5 * 60_000;
/** Ends that nobody asked for. */
const FAULTS = ['crashed', 'stalled', 'limit-breached'] as const;
const MIB = 2 ** 20;
const SHARED_BYTES = 40 * MIB;
const METRICS = ['memoryBytes', 'cpuPercent'] as const;

describe('one figure for one thing, over a month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  let month: Month;
  let file: HistoryFile;
  let servers: readonly ServerView[];
  let undoLayout = () => {};
  beforeAll(async () => {
    month = await writeMonth({ home: join(folder, 'home'), now: NOW, servers: 9 });
    file = openFile(join(month.home, 'history.db'), NOW, (db) => new HistoryFile(db, NOW)).value;
    const book = await troubles();
    servers = month.servers.map(({ name }) => {
      const server = aServer(name, { sample: lastSample(name) });
      return { ...server, ...book.of(server) };
    });
  }, 60_000 * patience);
  afterAll(() => {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => (undoLayout = giveLayout()));
  afterEach(() => {
    cleanup();
    undoLayout();
  });

  const series = (query: SeriesQuery) => readSeries(file, query, NOW);

  /** What the panel of the month knows of how its servers fared. */
  async function troubles(): Promise<TroubleBook> {
    const source = {
      events: (query: PastEventsQuery) => Promise.resolve(readPastEvents(file.db, query)),
      state: () => Promise.resolve({ keptIn: 'file' as const, oldestAt: month.from }),
    };
    const unread = new Set(month.servers.map(({ name }) => name));
    return new Promise((resolve) => {
      const book = new TroubleBook({
        source,
        wallClock: { epochMs: () => NOW },
        onRead: (server) => unread.delete(server) && unread.size === 0 && resolve(book),
      });
      book.follow([...unread]);
    });
  }

  function lastSample(server: string) {
    const query = { from: NOW - 60_000, to: NOW, servers: [server], metrics: [...METRICS], maxBuckets: 60 };
    const [memory, cpu] = series(query).series;
    const [memoryBytes, cpuPercent] = [memory?.avg.at(-1) ?? 0, cpu?.avg.at(-1) ?? 0];
    return { at: NOW, memoryBytes, cpuPercent, sharedMemoryBytes: SHARED_BYTES, processCount: 1 };
  }

  async function show(view: ReactNode, widthPx = 1280): Promise<void> {
    Object.assign(window, { innerWidth: widthPx });
    const known: Partial<ControlPanelApi> = {
      getSeries: (query) => Promise.resolve(series(query)),
      getCallSeries: (query) => Promise.resolve(readCalls(file, query, NOW)),
      getRestartStory: () => Promise.resolve(aStory([anEnd('an end')])),
      getPastEvents: (query) => Promise.resolve(readPastEvents(file.db, query)),
    };
    const api = new Proxy(known as ControlPanelApi, {
      get: (target, name: keyof ControlPanelApi) =>
        target[name] ?? (() => new Promise<never>(() => undefined)),
    });
    const services = createServices(api, '');
    services.clock.setState({ now: NOW });
    services.panel.setState(
      applySnapshot(services.panel.getState(), aSnapshot(1, { servers: [...servers] })),
    );
    services.view.setState({ span: chooseLive(WEEK_MS) });
    cleanup();
    render(
      <MantineProvider env="test">
        <ServicesContext value={services}>{view}</ServicesContext>
      </MantineProvider>,
    );
    await act(async () => {});
  }

  /** Average, average while running, peak and share of memory, then of CPU, by server, as the table of Usage tells them. */
  async function usageTable(widthPx?: number): Promise<ReadonlyMap<string, readonly string[]>> {
    await show(<UsageView />, widthPx);
    await userEvent.click(await screen.findByText('Table'));
    const rows = within(await screen.findByRole('table', { name: 'Usage by server' })).getAllByRole('row');
    return new Map(
      rows.slice(1).map((row) => {
        const [name = '', ...cells] = [...row.querySelectorAll('th, td')].map(
          ({ textContent }) => textContent ?? '',
        );
        return [name, cells];
      }),
    );
  }

  it('tells averages and peaks of Usage alike at each width, which add up to those of all', async () => {
    const table = await usageTable();
    expect(await usageTable(1920)).toEqual(table);
    const all = table.get('All servers') ?? [];
    for (const column of [0, 4]) {
      const cells = month.servers.map(({ name }) => table.get(name)?.[column]);
      const sum = cells.reduce((total, words) => total + numberIn(words), 0);
      const rounding = [...cells, all[column]].reduce((total, words) => total + roundingOf(words), 0);
      expect(Math.abs(sum - numberIn(all[column]))).toBeLessThanOrEqual(rounding);
    }
    for (const column of [2, 6])
      for (const { name } of month.servers)
        expect(numberIn(table.get(name)?.[column])).toBeLessThanOrEqual(numberIn(all[column]) * 1.01);
  });

  it('tells them in Compare, in the legend of the charts and on the page of a server as in Usage', async () => {
    const table = await usageTable();
    await show(<UsageView />);
    const legend = within(await screen.findByRole('table', { name: 'Memory by server' })).getAllByRole('row');
    const bands = legend
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''));
    expect(bands.length).toBeGreaterThan(6);
    for (const [name = '', average, peak, share] of bands.filter(([name]) => table.has(name ?? '')))
      expect([average, peak, share]).toEqual([
        table.get(name)?.[0],
        table.get(name)?.[2],
        table.get(name)?.[3],
      ]);

    const compared = ['search', 'atlassian', 'browser'];
    await show(<CompareView servers={compared} />);
    await userEvent.click(await screen.findByText('Table'));
    for (const name of compared) {
      const row = await screen.findByRole('row', { name: new RegExp(`^${name}`) });
      const cells = [...row.querySelectorAll('td')].map(({ textContent }) => textContent);
      const [average, , peak, , cpuAverage, , cpuPeak] = table.get(name) ?? [];
      expect(cells.slice(0, 4)).toEqual([average, peak, cpuAverage, cpuPeak]);
    }

    for (const name of compared) {
      const server = servers.find((one) => one.name === name);
      if (server === undefined) throw new Error(`no ${name}`);
      await show(<ServerCharts server={server} events={[]} />);
      const [average, , peak] = table.get(name) ?? [];
      await waitFor(() => expect(document.body.textContent).toContain('7 d: peak'));
      const [told = '', toldAverage = ''] =
        /7 d: peak ([\d.]+ [GM]iB)avg ([\d.]+ [GM]iB)/.exec(document.body.textContent ?? '')?.slice(1) ?? [];
      expect([bytesIn(told), bytesIn(toldAverage)]).toEqual([bytesIn(peak), bytesIn(average)]);
    }
  });

  it('tells the restarts of a day in list, title of the tab, facts and tab alike, which are its ends that were not asked for', async () => {
    await show(<ServerListPane open="browser" />);
    const inList = new Map(
      servers.map(({ name }) => {
        const row = document.querySelector(`[role="row"][data-server="${name}"]`);
        return [name, numberIn(labelIn(row, 'Restarts in 24 h'))];
      }),
    );
    expect(Math.max(...inList.values())).toBeGreaterThan(0);
    for (const server of servers) {
      const restarts = inList.get(server.name) ?? Number.NaN;
      const words = `${restarts} restart${restarts === 1 ? '' : 's'} in 24 h`;
      const query = { server: server.name, from: NOW - DAY_MS + 1, to: NOW, kinds: [...FAULTS], limit: 1 };
      expect(readPastEvents(file.db, query).total).toBe(restarts);
      await show(<PageTabs server={server} current="overview" />);
      if (restarts > 0) screen.getByRole('link', { name: `Restarts ${restarts} in 24 h` });
      await show(<ServerDetails server={server} />);
      await userEvent.click(screen.getByRole('button', { name: 'Details' }));
      screen.getByText(`${restarts} in 24 h`);
      await show(<RestartsTab server={server} asked={undefined} />);
      await screen.findByText(words);
    }
  });

  it('tells memory and CPU of a row as the parts of which those of all are the sum', async () => {
    await show(<ServerListPane open="browser" />);
    for (const { name, sample } of servers) {
      const row = document.querySelector(`[role="row"][data-server="${name}"]`);
      const memory = labelIn(row, 'Memory');
      expect(Math.abs(bytesIn(memory) - (sample?.memoryBytes ?? 0))).toBeLessThanOrEqual(roundingOf(memory));
      expect(Math.abs(numberIn(labelIn(row, 'CPU')) - (sample?.cpuPercent ?? 0))).toBeLessThan(0.5);
    }
  });

  it('tells all calls of a day by client and by server, and all events of the time shown', async () => {
    const to = (Math.floor(NOW / STEP_MS) + 1) * STEP_MS;
    const day = { from: to - DAY_MS, to, maxBuckets: DAY_MS / STEP_MS };
    const callsOf = (server: string) =>
      readCalls(file, { ...day, server }, NOW).buckets.reduce((sum, { calls }) => sum + calls, 0);
    const clients = [...month.clientIds].map(([name, id]) => aClient(id, name));
    await show(<ClientTable clients={clients} />);
    const byClient = () =>
      clients.map(({ name }) => {
        const cells = within(screen.getByRole('row', { name })).getAllByRole('cell');
        return Number(cells[2]?.textContent.replaceAll(/[^\d]/g, ''));
      });
    const all = servers.reduce((sum, { name }) => sum + callsOf(name), 0);
    expect(all).toBeGreaterThan(100);
    await waitFor(() => expect(byClient().reduce((sum, calls) => sum + calls, 0)).toBe(all));

    await show(<Activity />);
    const { total } = readPastEvents(file.db, {
      from: windowEndingAt(NOW, WEEK_MS).from,
      to: NOW + 1,
      limit: 1,
    });
    await screen.findByText(new RegExp(`^${total} events`));
  });

  it('has the peaks in the exported figures, and their averages by bucket', async () => {
    const table = await usageTable();
    const query = {
      from: NOW - WEEK_MS,
      to: NOW,
      servers: ['search'],
      metrics: [...METRICS],
      maxBuckets: 240,
    };
    const [head = '', ...lines] = seriesCsv(series(query), METRICS).trim().split(/\r?\n/);
    const column = head.split(',').indexOf('peak memory (bytes)');
    // The first bucket begins before the window does.
    const within = lines
      .map((line) => line.split(','))
      .filter(([at = '']) => Date.parse(at) >= NOW - WEEK_MS);
    const highest = Math.max(...within.map((cells) => Number(cells[column])));
    expect(Math.abs(highest / bytesIn(table.get('search')?.[2]) - 1)).toBeLessThan(0.01);
  });

  it('tells the memory of now as the sum of its rows in tile, legend, foot, tray and metrics, and what is in RAM beside it', async () => {
    const sum = servers.reduce((total, { sample }) => total + (sample?.memoryBytes ?? 0), 0);
    const inRam = sum - (servers.length - 1) * SHARED_BYTES;
    const isAbout = (words: string | undefined, bytes: number, digits = 3) =>
      expect(Math.abs(bytesIn(words) / bytes - 1)).toBeLessThan(0.6 * 10 ** (1 - digits));

    await show(<UsageTiles />);
    const tile = document.querySelector('[aria-label^="Memory of all servers"]');
    const words = tile?.getAttribute('aria-label') ?? '';
    const [, total, beside] =
      /servers ([\d.]+ [GM]iB) \(≈ ([\d.]+ [GM]iB) in RAM, shared pages once\)/.exec(words) ?? [];
    isAbout(total, sum);
    isAbout(beside, inRam);

    await show(<NavigationFoot />);
    const [, foot, footBeside] =
      /Memory([\d.]+ [GM]iB).*≈ ([\d.]+ [GM]iB) in RAM/.exec(document.body.textContent ?? '') ?? [];
    expect([foot, footBeside]).toEqual([total, beside]);

    const [, tray, trayBeside] = /· ([\d.]+ [GM]iB), ≈ ([\d.]+ [GM]iB) in RAM/.exec(headWords(servers)) ?? [];
    isAbout(tray, sum, 2);
    isAbout(trayBeside, inRam, 2);

    const measured = servers.map((view) => ({ view, calls: undefined, stalls: 0 }));
    const metrics = openMetrics({ version: '1', servers: measured, clients: [] }).split('\n');
    const valuesOf = (name: string) =>
      metrics.filter((line) => line.startsWith(name)).map((line) => Number(line.split(' ').at(-1)));
    expect(valuesOf('mcp_server_memory_bytes{').reduce((one, other) => one + other, 0)).toBeCloseTo(sum, -1);
    expect(valuesOf('mcp_servers_in_ram_bytes ')[0]).toBeCloseTo(inRam, -1);
  });
});

/** What a cell of a row says behind its name: "Memory 182 MiB". */
const labelIn = (row: Element | null, title: string): string | undefined =>
  row
    ?.querySelector(`[role="cell"][aria-label^="${title} "]`)
    ?.getAttribute('aria-label')
    ?.slice(title.length + 1)
    .split(',')[0];

const aClient = (id: string, name: string): ClientView => ({
  ...{ id, name, scopes: ['mcp'], createdAt: 0, calls: 0, errors: 0 },
  ...{ hourErrors: 0, sessions: [], perMinute: [] },
});

const numberIn = (words: string | undefined): number =>
  words?.endsWith('iB') === true ? bytesIn(words) : Number.parseFloat(words ?? '');

/** Half of the last digit that is told. */
function roundingOf(words: string | undefined): number {
  const [amount = '', unit = ''] = (words ?? '').split(' ');
  const digit = 10 ** -(amount.split('.')[1]?.length ?? 0);
  return (digit / 2) * (unit === 'GiB' ? 2 ** 30 : unit === 'MiB' ? MIB : 1);
}

function bytesIn(words: string | undefined): number {
  const [amount = '', unit = ''] = (words ?? '').split(' ');
  return Number(amount) * (unit === 'GiB' ? 2 ** 30 : MIB);
}
