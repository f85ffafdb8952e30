// @vitest-environment happy-dom
import { act, configure, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import type {
  PastState,
  PastEventsReply,
  Series,
  SeriesQuery,
  SeriesReply,
} from '../../../shared/history.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import type { FileToSave } from '../../../shared/file-to-save.ts';
import { formatClockTime, formatDate } from '../../../renderer/format/moments.ts';
import { ServerCharts } from '../../../renderer/views/server-overview.tsx';
import { anEvent, aReply, aSample, aSeries, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000 * SECOND;
const MIB = 2 ** 20;

// A busy machine takes more than the second that is the default to draw a stack.
configure({ asyncUtilTimeout: 10_000 });

useFakeLayout();

/** Answer with figures in every half an hour, and an absence in its first hour. */
function answerTo({ from, to, servers, metrics }: SeriesQuery): SeriesReply {
  const stepMs = 30 * MINUTE;
  const start = Math.floor(from / stepMs) * stepMs;
  const index = Array.from({ length: Math.floor((to - start) / stepMs) - 2 }, (_, number) => number + 2);
  const [avg, min, max] = [64, 60, 70].map((mib) => index.map(() => mib * MIB));
  const series = servers.flatMap((server) =>
    metrics.map((metric) => aSeries(server, metric, index, avg!, { min: min!, max: max! })),
  );
  return aReply({ from: start, to, stepMs, series, absences: [{ from: start, to: start + HOUR }] });
}

const withoutFigures = (series: Series): Series => ({ ...series, index: [], avg: [], min: [], max: [] });

/** Charts of a server that has run for a minute, whose past the test answers for. */
function showCharts(answers: Partial<ControlPanelApi> = {}, events: readonly PanelEvent[] = []) {
  const asked: SeriesQuery[] = [];
  const saved: FileToSave[] = [];
  const known: Partial<ControlPanelApi> = {
    getSeries: (query) => {
      asked.push(query);
      return Promise.resolve(answerTo(query));
    },
    getCallSeries: ({ from, to }) => Promise.resolve({ from, to, stepMs: MINUTE, buckets: [] }),
    getPastEvents: () => Promise.resolve<PastEventsReply>({ events: [], hasMore: false, total: 0 }),
    getHistoryState: () => Promise.resolve<PastState>({ keptIn: 'file' }),
    saveFile: (file) => {
      saved.push(file);
      return Promise.resolve(`/home/me/${file.name}`);
    },
    ...answers,
  };
  const services = servicesWith(known);
  services.clock.setState({ now: START });
  const server = aServer('one', { sample: aSample(START, { memoryBytes: 64 * MIB, cpuPercent: 5 }) });
  for (let at = START - MINUTE; at <= START; at += SECOND)
    services.history.append([
      aServer('one', { sample: aSample(at, { memoryBytes: 64 * MIB, cpuPercent: 5 }) }),
    ]);
  const charts = <ServerCharts server={server} events={events} />;
  render(inWindow(services, charts));
  return { services, asked, saved, user: userEvent.setup() };
}

const show24h = (user: ReturnType<typeof userEvent.setup>) =>
  user.selectOptions(screen.getByRole('combobox', { name: 'Time shown' }), '24 h');
const slider = () => screen.getByRole('slider', { name: 'Time cursor of one' });
const shownMs = () =>
  Number(slider().getAttribute('aria-valuemax')) - Number(slider().getAttribute('aria-valuemin'));
const bandOf = (figure: string) =>
  document.querySelectorAll(`[role="img"][aria-label^="${figure}"] [data-curve]`).length;

describe('charts over time', () => {
  it('ask the history for a span that this launch has not seen, and draw its average with a band around it', async () => {
    const { asked, user } = showCharts();
    await screen.findByRole('slider');
    await show24h(user);
    await screen.findByText('30 m per point');
    expect(asked.at(-1)).toMatchObject({ servers: ['one'], maxBuckets: 400 });
    expect(asked.at(-1)!.to - asked.at(-1)!.from).toBe(DAY);
    expect(asked.at(-1)!.metrics).toContain('memoryBytes');
    expect(shownMs()).toBe(DAY);
    expect(bandOf('Memory')).toBe(3);
  });

  it('draw the limits of the time before a change, though the samples of that time are here', async () => {
    const detail = { change: 'edited', fields: ['panel.limits.maxMemoryMiB'] };
    const changedAt = START - 20 * SECOND;
    const change = anEvent('1', { at: changedAt, server: 'one', kind: 'config-changed', detail });
    const before = { server: 'one', maxMemoryMiB: 96, maxCpuPercent: 80, maxOpenFiles: 1000 };
    showCharts(
      {
        getSeries: (query) => {
          return Promise.resolve({
            ...answerTo(query),
            ...{ resolution: 'sample', limits: [{ ...before, from: START - DAY }] },
          });
        },
      },
      [change],
    );
    await screen.findByText('limit 96 MiB');
  });

  it('step through the past and come back, by buttons and by the keys that their tips name', async () => {
    const { services, user } = showCharts();
    await screen.findByRole('slider');
    await show24h(user);
    await user.click(screen.getByRole('button', { name: 'Earlier' }));
    await user.keyboard('{Escape}');
    expect(services.view.getState().span.choice).toEqual({ kind: 'live', spanMs: DAY });
    await user.click(screen.getByRole('button', { name: 'Earlier' }));
    const first = Number(slider().getAttribute('aria-valuemax'));
    expect(shownMs()).toBe(DAY);
    expect(first).toBeLessThanOrEqual(START - DAY + HOUR);
    act(() => slider().focus());
    await user.keyboard('[[');
    expect(Number(slider().getAttribute('aria-valuemax'))).toBe(first - DAY);
    await user.keyboard('{Alt>}[[{/Alt}');
    expect(Number(slider().getAttribute('aria-valuemax'))).toBe(first - 1.5 * DAY);
    await user.keyboard(']-');
    expect(shownMs()).toBe(2 * DAY);
    await user.keyboard('{Escape}{Escape}');
    expect(services.view.getState().span).toEqual({ choice: { kind: 'live', spanMs: DAY }, before: [] });
    await user.keyboard('5');
    expect(shownMs()).toBe(7 * DAY);
  });

  it('tell at the cursor the average, the least and the most, and when no panel was running', async () => {
    const { services, user } = showCharts();
    await screen.findByRole('slider');
    await show24h(user);
    await screen.findByText('30 m per point');
    act(() => services.view.setState({ cursorAt: START - 2 * HOUR }));
    expect(screen.getByText('average 64.0 MiB')).toBeDefined();
    expect(screen.getByText('60.0 to 70.0 MiB')).toBeDefined();
    act(() => services.view.setState({ cursorAt: START - DAY + 30 * MINUTE }));
    expect(screen.getAllByText('panel not running').length).toBeGreaterThan(0);
  });

  it('draw the same time last week as a thin line, and name both at the cursor', async () => {
    const asked: SeriesQuery[] = [];
    const { services, user } = showCharts({
      getSeries: (query) => {
        asked.push(query);
        const reply = answerTo(query);
        const isEarlier = query.to < START - 5 * DAY;
        const series = reply.series.map((one) => ({
          ...one,
          avg: one.avg.map(() => (isEarlier ? 32 : 64) * MIB),
        }));
        const totals = query.servers.map((server) => ({
          ...{ server, metric: 'memoryBytes' as const, average: (isEarlier ? 32 : 64) * MIB, peak: 70 * MIB },
        }));
        return Promise.resolve({ ...reply, series, totals });
      },
    });
    await screen.findByRole('slider');
    await show24h(user);
    await screen.findByText('avg 64.0 MiB');
    const line = () => document.querySelector('[aria-label^="Memory over"] [data-curve="compared"]');
    expect(line()).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Compare with' }), 'Compare: last week');
    await screen.findByText('avg 64.0 MiB (▲ 100 %)');
    expect(line()?.getAttribute('d')).toMatch(/^M\d/);
    expect(asked.at(-1)!.to - START).toBeLessThan(-6 * DAY);
    act(() => services.view.setState({ pinnedAt: START - 2 * HOUR }));
    expect(screen.getByText('last week 32.0 MiB')).toBeDefined();
    expect(slider().getAttribute('aria-valuetext')).toContain(
      'Memory 64.0 MiB (60.0 to 70.0 MiB), last week 32.0 MiB',
    );
    // Of a time that is mostly older than the history, no change is told.
    act(() =>
      services.view.setState({ pinnedAt: undefined, kept: { keptIn: 'file', oldestAt: START - 6.5 * DAY } }),
    );
    expect(screen.getByText('avg 64.0 MiB')).toBeDefined();
  });

  it('begin where the history does, and say so, rather than being blank before', async () => {
    const since = START - 3 * DAY;
    const { user } = showCharts({
      getHistoryState: () => Promise.resolve<PastState>({ keptIn: 'file', oldestAt: since }),
    });
    await screen.findByRole('slider');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Time shown' }), '90 d');
    await screen.findByText(`since ${formatDate(since)}`);
    expect(Number(slider().getAttribute('aria-valuemin'))).toBe(since);
    expect(screen.getByRole('button', { name: 'Earlier' }).matches('[disabled]')).toBe(true);
  });

  it('have a button for the moment that is pinned, with the menu that leads to its lines', async () => {
    const { services, user } = showCharts();
    await screen.findByRole('slider');
    const at = START - 20 * SECOND;
    expect(screen.queryByText(formatClockTime(at))).toBeNull();
    act(() => services.view.setState({ pinnedAt: at }));
    await user.click(screen.getByRole('button', { name: new RegExp(`^${formatClockTime(at)}: `) }));
    expect(services.manage.state.getState().menu?.of).toEqual({ at, server: 'one' });
    expect(slider().getAttribute('data-moment')).toBe(String(at));
  });

  it('are a table that stands still, and a file, with what is drawn', async () => {
    const { saved, user } = showCharts();
    await screen.findByRole('slider');
    await show24h(user);
    await screen.findByText('30 m per point');
    await user.click(screen.getByRole('button', { name: 'Show as table' }));
    const table = within(screen.getByRole('dialog')).getByRole('table');
    expect(within(table).getAllByRole('row').length).toBeGreaterThan(40);
    expect(within(table).getAllByText('60.0 to 70.0 MiB').length).toBeGreaterThan(40);
    await user.click(screen.getByRole('button', { name: 'Save as CSV…' }));
    expect(saved[0]?.name).toMatch(/^one \d{4}-\d\d-\d\d \d{4} to \d{4}-\d\d-\d\d \d{4}\.csv$/);
    expect(saved[0]?.content.split('\r\n').length).toBeGreaterThan(40);
    expect(await screen.findByText('Saved')).toBeDefined();
  });

  it('say that the history could not be read, and read it when asked to try again', async () => {
    let isBroken = true;
    const { user } = showCharts({
      getSeries: (query) =>
        isBroken ? Promise.reject(new Error('the disk is gone')) : Promise.resolve(answerTo(query)),
    });
    await screen.findByText(/the disk is gone/);
    await show24h(user);
    isBroken = false;
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('30 m per point');
    expect(screen.queryByText(/the disk is gone/)).toBeNull();
  });

  it('say that there is nothing, and that a history in memory is why', async () => {
    const { services, user } = showCharts({
      getSeries: (query) =>
        Promise.resolve({ ...answerTo(query), series: answerTo(query).series.map(withoutFigures) }),
      getHistoryState: () => Promise.resolve({ keptIn: 'memory', problem: 'The disk is read-only.' }),
    });
    await screen.findByRole('slider');
    await show24h(user);
    expect((await screen.findByRole('note')).textContent).toMatch(/kept in memory: The disk is read-only\.$/);
    act(() =>
      services.view.setState({
        span: { choice: { kind: 'still', span: { from: START - 3 * DAY, to: START - 2 * DAY } }, before: [] },
      }),
    );
    expect((await screen.findByText(/^Nothing was measured in this time/)).textContent).toContain('memory');
  });
});
