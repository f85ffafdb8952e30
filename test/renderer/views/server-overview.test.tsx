// @vitest-environment happy-dom
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CallUsageQuery } from '../../../shared/call-usage.ts';
import type { ServerView } from '../../../shared/domain.ts';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import type { ServerTab } from '../../../renderer/store/route-store.ts';
import { anEvent, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';
import { aStory, anEnd, callPattern } from '../restarts/story-builders.ts';

useFakeLayout();

const restarted = { restarts24h: 4 };
const trend = { perDayBytes: 90 * 1024 ** 2, since: 0, confidence: 'clear' } as const;

async function show(changes: Partial<ServerView>, tab: ServerTab = 'overview', showsProcesses = false) {
  const queries: CallUsageQuery[] = [];
  const followed: string[] = [];
  const event = anEvent('1', {
    at: Date.now(),
    server: 'one',
    kind: 'server-version-changed',
    detail: { from: '1.0', to: '1.1' },
  });
  const services = servicesWith(
    {
      getRestartStory: () => Promise.resolve(aStory([anEnd('a')], { patterns: [callPattern(['a'])] })),
      getProcesses: (name) => {
        followed.push(name);
        return Promise.resolve({ at: 0, processes: [] });
      },
      getCallUsage: ({ from, to, ...query }) => {
        queries.push({ from, to, ...query });
        const rest = { clients: 1, calls: 7, toolErrors: 0, errors: 0, bytesIn: 1, bytesOut: 1, lastAt: to };
        const names = query.by === 'client' ? { client: 'Cursor' } : { server: 'one', tool: 'echo' };
        return Promise.resolve({ from, to, rows: [{ ...names, ...rest }] });
      },
    },
    { servers: [aServer('one', changes)], events: [event] },
  );
  await act(async () => render(inWindow(services, <ServerPage name="one" {...{ tab, showsProcesses }} />)));
  return { queries, followed };
}

const sentences = () =>
  screen.queryAllByText(/during a call of search|Memory: \+90|^Last change/).map((line) => line.textContent);

it('says the pattern of restarts, else the trend, else the last change: at most two of them', async () => {
  await show({ ...restarted, trend });
  expect(sentences()).toEqual([
    expect.stringMatching(/^1 of 12 .* during a call of search\. Why$/),
    expect.stringMatching(/^Memory: \+90 MiB a day/),
  ]);
  expect(screen.getByRole('link', { name: 'Why' }).getAttribute('href')).toBe('#/servers/one/restarts');
  expect(screen.getByRole('link', { name: 'Restarts 4 in 24 h' })).toBeDefined();
});

it('says the last change within the time shown where there is nothing else', async () => {
  await show({});
  expect(sentences()).toEqual([expect.stringMatching(/^Last change, .*1\.0/)]);
  expect(screen.getByRole('link', { name: 'Restarts' })).toBeDefined();
});

it('lists the processes only once they are unfolded', async () => {
  const { followed } = await show({});
  expect(followed).toEqual([]);
  await act(async () => {
    const fold = screen.getByText(/process/i).closest('details')!;
    fold.open = true;
    fireEvent(fold, new Event('toggle'));
  });
  expect(followed).toEqual(['one']);
});

it('lists the processes at once for a link to them', async () => {
  expect((await show({}, 'overview', true)).followed).toEqual(['one']);
});

it('asks for the calls of one server, by tool and by client, without a column of servers', async () => {
  const { queries } = await show({}, 'calls');
  const table = await screen.findByRole('table', { name: 'Calls' });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.slice(0, 3).map((head) => head.textContent)).toEqual(['Tool', 'Clients', 'Calls']);
  expect(screen.queryByRole('radio', { name: 'Server' })).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'Client' }));
  await screen.findByRole('rowheader', { name: 'Cursor' });
  expect(new Set(queries.map(({ by, server }) => `${server} ${by}`))).toEqual(
    new Set(['one tool', 'one client']),
  );
});
