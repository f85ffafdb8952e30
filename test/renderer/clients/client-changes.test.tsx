// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CallUsageRow } from '../../../shared/call-usage.ts';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { ClientTools, ClientView, ServerSet } from '../../../shared/gateway.ts';
import type { CallSeriesReply } from '../../../shared/history.ts';
import { MINUTE_MS } from '../../../shared/units.ts';
import { ClientPage } from '../../../renderer/clients/client-page.tsx';
import { ClientsView } from '../../../renderer/clients/clients-view.tsx';
import { ManageLayer } from '../../../renderer/views/manage-layer.tsx';
import { aClient, anEvent, aServer, aUse } from '../builders.ts';
import { callsOfMinutes } from '../charts/calls-of-minutes.ts';
import { button, dialog, press, showView, tick, type } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const use = aUse({ count: 2, inFlight: 1 });

async function show(client: ClientView, refuses = false) {
  const changes: unknown[] = [];
  const renewed: string[] = [];
  const sets: ServerSet[] = [];
  const services = servicesWith(
    {
      findClients: () => Promise.resolve([]),
      getGateway: () => Promise.resolve({ url: 'http://127.0.0.1:7411', port: 7411, isListening: true }),
      listClients: () => Promise.resolve([client]),
      getSets: () => Promise.resolve([...sets]),
      putSet: ({ name, servers }) => (sets.push({ name, servers, tools: [] }), Promise.resolve(undefined)),
      renewClient: (id) => (renewed.push(id), Promise.resolve({ token: `mcpcp_new-${renewed.length}` })),
      findBridge: () =>
        Promise.resolve({ command: '/usr/bin/node', args: ['/opt/bridge.cjs', 'connect'], env: {} }),
      changeClient: (change) => {
        changes.push(change);
        return refuses ? Promise.reject(new Error('The disk is full.')) : Promise.resolve(undefined);
      },
    },
    { servers: [aServer('github'), aServer('memory')] },
  );
  const view = (
    <>
      <ClientsView />
      <ManageLayer />
    </>
  );
  await showView(services, view);
  return { changes, renewed, sets };
}

it('what a client may use is changed after it was made, from one server to others, and to all', async () => {
  const { changes } = await show(aClient({ servers: ['github'] }));
  await press('Change what laptop may use');
  await tick('memory');
  await tick('github');
  await press('Change it');
  expect(dialog()).toBeNull();
  await press('Change what laptop may use');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'All servers', hidden: true })));
  await press('Change it');
  expect(changes).toEqual([{ id: 'c1', servers: ['memory'] }, { id: 'c1' }]);
});

it('a change of what a client may use names what ends, needs a server, and tells why it failed', async () => {
  await show(aClient({ servers: ['github'], sessions: [use] }), true);
  await press('Change what laptop may use');
  expect(dialog()?.textContent).toContain('Its 2 sessions end, and 1 call in flight is lost.');
  await press('Change it');
  expect(screen.getByText(/The disk is full/)).toBeTruthy();
  await tick('github');
  expect(button('Change it').disabled).toBe(true);
});

it('there is nothing to change for a client that reads metrics only', async () => {
  await show(aClient({ scopes: ['metrics'] }));
  expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
});

it('the question before a token is renewed names what ends of a client that is connected', async () => {
  await show(aClient({ sessions: [{ ...use, programs: ['cursor 1.0'] }] }));
  await press('New token for laptop');
  expect(dialog()?.textContent).toContain(
    'It is connected now to github, as cursor 1.0. Its 2 sessions end, and 1 call in flight is lost. The old token stops working',
  );
  await show(aClient());
  await press('New token for laptop');
  expect(dialog()?.textContent).toContain('No program is connected with it now. The old token stops working');
});

it('the snippet is shown again with a new token, after a question, for the program that is chosen', async () => {
  const { renewed } = await show(aClient({ name: 'my codex', servers: ['memory'] }));
  await press('New token for my codex');
  await press('Keep the old one');
  expect([renewed, dialog()]).toEqual([[], null]);
  await press('New token for my codex');
  await press('Renew the token');
  expect(renewed).toEqual(['c1']);
  expect(screen.getByText('mcpcp_new-1')).toBeTruthy();
  const snippet = () => dialog()?.querySelector('pre')?.textContent;
  expect(snippet()).toMatch(/^\[mcp_servers\.memory\][^]*Bearer mcpcp_new-1/);
  expect(snippet()).not.toContain('github');
  await type('Program', 'cursor');
  expect(snippet()).toMatch(/^"memory": \{[^]*Bearer mcpcp_new-1/);
  await type('Program', 'claude-desktop');
  expect(snippet()).toMatch(/"\/usr\/bin\/node"[^]*"\/opt\/bridge.cjs",\s*"connect",\s*"memory"/);
});

it('a set is named, filled and changed, and a client is set up with one entry for it', async () => {
  const { sets } = await show(aClient());
  await press('New set…');
  await type('Name', 'daily');
  await tick('memory');
  await press('Save');
  expect(sets).toEqual([{ name: 'daily', servers: ['memory'], tools: [] }]);
  expect(screen.getByText('http://127.0.0.1:7411/sets/daily/mcp')).toBeTruthy();

  await press('New token for laptop');
  await press('Renew the token');
  const snippet = () => dialog()?.querySelector('pre')?.textContent;
  await type('Entries', '*daily');
  expect(snippet()).toContain('http://127.0.0.1:7411/sets/daily/mcp');
  await type('Entries', '*');
  expect(snippet()).toContain('mcp-control-panel');
  expect(snippet()).toContain('http://127.0.0.1:7411/mcp');
});

describe('the page of a client', () => {
  it('names its calls, its sessions with each server, and their programs', async () => {
    const at = new Date(2026, 0, 5, 10, 42).getTime();
    const session = { ...use, programs: ['claude-code 2.1.0'], protocols: ['2025-06-18', '2025-11-25'] };
    const sessions = [
      session,
      { ...use, server: 'memory', count: 1, inFlight: 0, protocols: ['2025-06-18'] },
    ];
    const times = { createdAt: at, lastSeenAt: at + 1000 };
    await showPage(
      aClient({ calls: 12_000, errors: 3, perMinute: [4, 1], hourErrors: 0, ...times, sessions }),
    );
    for (const words of [
      'Last hour5 calls, none failed',
      'Last 24 hours12\u2009000 calls, 3 failed',
      'Created2026-01-05 10:42:00',
      'Last seen2026-01-05 10:42:01',
      'github: 2 sessions by claude-code 2.1.0, protocol 2025-06-18 and 2025-11-25, in flight: 1 call, last seen',
      'memory: 1 session by a program without a name, protocol 2025-06-18, last seen',
    ])
      expect(document.body.textContent).toContain(words);
  });

  it('counts the calls of the last hour before the panel started, which the history knows', async () => {
    const now = Date.now();
    const started = anEvent('e1', { kind: 'panel-started', at: now - 10 * MINUTE_MS });
    const from = now - (now % MINUTE_MS) - 90 * MINUTE_MS;
    const minutes = [5, 50, 85].map((minute) => ({ at: from + minute * MINUTE_MS, calls: 7, errors: 2 }));
    const own = aClient({ calls: 3, perMinute: [3], hourErrors: 1 });
    await showPage(own, [], [], { calls: callsOfMinutes(minutes, from), events: [started] });
    expect(document.body.textContent).toContain('Last hour10 calls, 3 failed');
  });

  it('says of a client that has done nothing that it has not', async () => {
    await showPage(aClient({ createdAt: 0 }));
    for (const words of ['no call', 'Creatednot known', 'Last seennever'])
      expect(document.body.textContent).toContain(words);
    expect(screen.queryByRole('list', { name: 'Sessions of laptop' })).toBeNull();
  });

  it('leaves out calls and tools of a client that reads metrics only', async () => {
    await showPage(aClient({ scopes: ['metrics'] }));
    expect(screen.queryByText('Last hour')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Tools' })).toBeNull();
  });

  it('prices every tool, says why one is missing, and hides one or all that were never called', async () => {
    const tool = (name: string, changes = {}) => ({
      ...{ name, description: `does ${name}`, tokens: 100, isHidden: false, isHeld: false, ...changes },
    });
    const tools = [
      {
        server: 'github',
        tools: [tool('search'), tool('merge', { isHidden: true }), tool('close', { isHeld: true })],
      },
      { server: 'memory', tools: [] },
    ];
    const rows = [aUsageRow({ server: 'github', tool: 'search', client: 'laptop', calls: 3 })];
    const { hidden } = await showPage(aClient({ createdAt: 1 }), tools, rows);
    expect(document.body.textContent).toContain('2 of 3 tools shown, ≈ 200 tokens in each request');
    expect(document.body.textContent).toContain('memory has not listed tools yet.');
    expect(document.body.textContent).toContain('held back: its text has changed');
    await tick('search');
    await press('Hide 1 tool, ≈ 100 tokens');
    expect(hidden).toEqual([
      { client: 'c1', server: 'github', hidden: ['merge', 'search'] },
      { client: 'c1', server: 'github', hidden: ['merge', 'close'] },
    ]);
  });
});

const aUsageRow = (changes: Partial<CallUsageRow>): CallUsageRow => ({
  ...{ clients: 1, calls: 1, toolErrors: 0, errors: 0, bytesIn: 0, bytesOut: 0, lastAt: 0, ...changes },
});

async function showPage(
  client: ClientView,
  tools: ClientTools[] = [],
  rows: CallUsageRow[] = [],
  { calls, events = [] }: { calls?: CallSeriesReply; events?: PanelEvent[] } = {},
) {
  const hidden: unknown[] = [];
  const services = servicesWith(
    {
      getGateway: () => Promise.resolve({ url: 'http://127.0.0.1:7411', port: 7411, isListening: true }),
      listClients: () => Promise.resolve([client]),
      getClientTools: () => Promise.resolve(tools),
      getCallUsage: ({ from, to }) => Promise.resolve({ from, to, rows }),
      setTools: (switches) => (hidden.push(switches), Promise.resolve(undefined)),
      ...(calls && { getCallSeries: () => Promise.resolve(calls) }),
    },
    { servers: [aServer('github'), aServer('memory')], events },
  );
  await showView(services, <ClientPage id={client.id} />);
  return { hidden };
}
