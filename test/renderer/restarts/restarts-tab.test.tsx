// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import type { PastEventsQuery, SeriesQuery, SeriesReply } from '../../../shared/history.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import type { RestartStory, StoryQuery } from '../../../shared/restart-story.ts';
import { RestartsTab } from '../../../renderer/restarts/restarts-tab.tsx';
import { applyPush } from '../../../renderer/store/panel-store.ts';
import { anEvent, aPush, aReply, aSeries, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';
import { anEnd, aStory, callPattern } from './story-builders.ts';

useFakeLayout();

interface ShowOptions {
  readonly asked?: string;
  readonly server?: ServerView;
  /** Events that the history has of the time of an end. */
  readonly past?: readonly PanelEvent[];
  readonly series?: SeriesReply['series'];
}

/** The tab of a server, whose story `answer` tells. */
async function show(
  answer: (query: StoryQuery) => RestartStory | Promise<RestartStory>,
  { asked, server = aServer('memory'), past = [], series = [] }: ShowOptions = {},
) {
  const queries: StoryQuery[] = [];
  const answers: Partial<ControlPanelApi> = {
    getRestartStory: async (query: StoryQuery) => {
      queries.push(query);
      return answer(query);
    },
    getSeries: async ({ from, to }: SeriesQuery) =>
      aReply({ from, to, stepMs: 5000, resolution: 'sample', series }),
    getPastEvents: async ({ server: of }: PastEventsQuery) => ({
      events: past.filter((event) => event.server === of),
      hasMore: false,
      total: past.length,
    }),
  };
  const services = servicesWith(answers, { servers: [server] });
  render(inWindow(services, <RestartsTab server={server} asked={asked} />));
  await waitFor(() => expect(screen.queryByText('Reading what happened…')).toBeNull());
  return { services, queries };
}

const rows = () =>
  screen.queryAllByRole('button', { expanded: false }).filter((row) => row.closest('[data-end]'));
const opened = () => screen.getByRole('group', { name: /^Details:/ });

describe('the restarts of a server', () => {
  it('say that it has not restarted, and since when', async () => {
    const runningSince = new Date(2026, 10, 12, 9, 14).getTime();
    await show(() => aStory([]), { server: aServer('memory', { runningSince }) });
    expect(screen.getByText('Has not restarted since 2026-11-12, 09:14')).toBeTruthy();
  });

  it('say why they could not be read', async () => {
    await show(() =>
      Promise.reject(Object.assign(new Error('the history is closed'), { code: 'MANAGER_CLOSED' })),
    );
    expect(screen.getByText(/Its restarts could not be read/)).toBeTruthy();
  });

  it('have each end in a row, which opens to its chain, its figures, the lost calls and the last words', async () => {
    await show(() =>
      aStory([
        anEnd('1', {
          uptimeMs: 60_000,
          stderr: 'out of luck',
          figures: {
            at: 1,
            memoryBytes: 2 ** 31,
            limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
          },
          calls: [
            { method: 'tools/call', target: 'search', by: 'client', client: 'Editor', ageMs: 1000 },
            { method: 'tools/list', by: 'panel' },
          ],
        }),
      ]),
    );
    const [row] = rows();
    expect(row!.textContent).toContain('crashed');
    expect(row!.textContent).toContain('up for 1 m');
    fireEvent.click(row!);
    const details = within(opened());
    expect(details.getByRole('list', { name: 'What happened' }).textContent).toContain('crashed · exit 1');
    expect(details.getByText('2.00 GiB').getAttribute('data-over')).toBe('true');
    const cells = details.getAllByRole('cell').map(({ textContent }) => textContent);
    expect(cells).toEqual([
      ...['search (tools/call)', 'Editor', '1 s', 'Lost'],
      ...['tools/list', 'The panel itself', '', 'No caller waited'],
    ]);
    expect(details.getByLabelText('Last of stderr').textContent).toBe('out of luck');
    details.getByRole('button', { name: /^This moment in…: / });
    // The curves are a chunk of their own, which is loaded first.
    await waitFor(() => details.getByText('There are no figures for the time before.'), { timeout: 15_000 });
  });

  it('mark the events of the time before in the curves, and a mark leads to what it tells', async () => {
    const at = 1_800_000_000_000;
    const stalled = anEvent('0', { kind: 'stalled', at: at - 60_000, server: 'memory' });
    const older = anEvent('old', { kind: 'crashed', at: at - 120_000, server: 'memory' });
    const crashed = anEvent('1', { kind: 'crashed', at, server: 'memory' });
    const figures = [1, 2].map((value) => value * 2 ** 20);
    await show(() => aStory([anEnd('1'), anEnd('old', { at: older.at, chain: [] })]), {
      past: [older, stalled, crashed],
      series: [aSeries('memory', 'memoryBytes', [1, 2], figures)],
    });
    fireEvent.click(rows()[0]!);
    const marks = await waitFor(
      () => {
        const found = [...document.querySelectorAll('g[data-tip]')];
        expect(found.map((mark) => mark.getAttribute('data-tip')?.split('  ')[1])).toHaveLength(3);
        return found;
      },
      { timeout: 15_000 },
    );
    fireEvent.click(marks.find((mark) => mark.getAttribute('data-tip')?.includes('crashed'))!);
    expect(document.querySelector('[data-end=old] button')?.getAttribute('aria-expanded')).toBe('true');
  });

  it('offer to raise the limit where it was the limit', async () => {
    const detail = { limit: 'memory', value: 1.1 * 2 ** 30, max: 2 ** 30 };
    const chain = [
      { eventId: '0', at: 1, kind: 'limit-breached' as const, role: 'sign' as const, detail },
      { eventId: '1', at: 2, kind: 'ended' as const, role: 'end' as const, detail: { by: 'limit' } },
    ];
    await show(() => aStory([anEnd('1', { cause: 'limit', limit: 'memory', chain })]));
    fireEvent.click(rows()[0]!);
    expect(within(opened()).getByRole('button', { name: 'Raise limit to 1.5 GiB' })).toBeTruthy();
  });

  it('name their patterns on top, each of which shows its ends alone, and all again', async () => {
    const patterns = [callPattern(['2', '3'])];
    await show(() => aStory([anEnd('1'), anEnd('2'), anEnd('3')], { patterns }));
    expect(rows()).toHaveLength(3);
    const pattern = screen.getByRole('button', { name: /came during a call of search/ });
    fireEvent.click(pattern);
    expect(pattern.getAttribute('aria-pressed')).toBe('true');
    expect(rows().map((row) => row.closest('[data-end]')?.getAttribute('data-end'))).toEqual(['2', '3']);
    fireEvent.click(pattern);
    expect(rows()).toHaveLength(3);
  });

  it('open the end that a link asks for by one of its events, and read older pages until it is there', async () => {
    const { queries } = await show(
      ({ before }) =>
        before === undefined
          ? aStory([anEnd('3')], { hasMore: true, total: 2 })
          : aStory([anEnd('2')], { total: 2 }),
      { asked: '2' },
    );
    await waitFor(() => opened());
    expect(queries.map(({ before }) => before)).toEqual([undefined, '3']);
    expect(opened().closest('[data-end]')?.getAttribute('data-end')).toBe('2');
  });

  it('are read anew when something happens to the server', async () => {
    const { services, queries } = await show(() => aStory([anEnd('1')]));
    const before = queries.length;
    await act(async () =>
      services.panel.setState(
        applyPush(services.panel.getState(), aPush(2, { events: [anEvent('9', { kind: 'crashed' })] })),
      ),
    );
    expect(queries.length).toBe(before + 1);
  });

  it('leave out what somebody wanted, when asked to', async () => {
    const { queries } = await show(({ isTroubleOnly }) =>
      aStory(isTroubleOnly ? [anEnd('2')] : [anEnd('1', { cause: 'request', chain: [] }), anEnd('2')], {
        total: 2,
        troubles: 1,
      }),
    );
    fireEvent.click(screen.getByLabelText('Problems 1'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(queries.at(-1)?.isTroubleOnly).toBe(true);
  });
});
