import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

async function open(): Promise<TestPanel & { notices: string[] }> {
  const opened = await panelOfTest({ one: fixtureServer(), two: fixtureServer() });
  const notices: string[] = [];
  opened.panel.onNotice((line) => notices.push(line));
  return { ...opened, notices };
}

async function listening({ panel }: TestPanel): Promise<void> {
  panel.start();
  await until('the endpoint', () => panel.gateway.status().url.endsWith(':0') === false);
}

const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 15_000, describe });

/** Connects as a program does that was given an address and the header of a snippet. */
async function connect(url: string, server: string, token: string): Promise<Client> {
  const headers = { Authorization: `Bearer ${token}` };
  const client = new Client(
    { name: 'test-program', version: '1.2.3' },
    { capabilities: { elicitation: {} } },
  );
  onTestFinished(() => client.close().catch(() => undefined));
  const transport = new StreamableHTTPClientTransport(new URL(serverAddress(url, server)), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

it('a client made by hand calls a server, is listed with what it does, and is refused once revoked', async () => {
  const opened = await open();
  const { panel, home, notices } = opened;
  await listening(opened);
  const { url } = panel.gateway.status();
  expect(notices).toContain(`clients reach the servers at ${url}`);

  const { id, token } = await panel.gateway.createClient({ name: 'editor', servers: ['one'] });
  const client = await connect(url, 'one', token);
  await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  await until('the call', () => panel.gateway.listClients()[0]?.calls === 1);
  // The panel has read the list of tools for its clients meanwhile, which nobody called.
  expect(panel.output.calls('one', 0).reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
  const [listed] = panel.gateway.listClients();
  expect(listed).toMatchObject({
    id,
    name: 'editor',
    servers: ['one'],
    errors: 0,
    sessions: [
      {
        ...{ server: 'one', count: 1, inFlight: 0, declares: ['elicitation'] },
        ...{ programs: ['test-program 1.2.3'], protocols: ['2025-11-25'] },
      },
    ],
  });
  expect(listed?.perMinute.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(listed?.lastSeenAt).toBeGreaterThan(0);
  // The window names the holder of a lease by this.
  const leases = panel.sessions.view('one').sessions.flatMap((session) => session.leases);
  expect(leases.map(({ contextId }) => contextId)).toEqual(listed?.sessions[0]?.contextIds);

  await expect(connect(url, 'two', token)).rejects.toThrow();
  await panel.gateway.revokeClient(id);
  await expect(client.callTool({ name: 'echo', arguments: { text: 'again' } })).rejects.toThrow();
  expect(panel.gateway.listClients()).toEqual([]);
  const kinds = () => panel.getSnapshot().events.map(({ kind }) => kind);
  expect(kinds()).toEqual(expect.arrayContaining(['client-connected', 'client-refused', 'client-revoked']));
  const kept = JSON.stringify([panel.getSnapshot(), panel.gateway.listClients(), notices]);
  expect(kept).not.toContain(token);
  expect(readFileSync(join(home, 'clients.json'), 'utf8')).not.toContain(token);
});

it('what a client may use can be changed while its token stays', async () => {
  const opened = await open();
  const { panel } = opened;
  await listening(opened);
  const { url } = panel.gateway.status();
  const { id, token } = await panel.gateway.createClient({ name: 'editor', servers: ['one'] });
  const statusOf = async (server: string) => {
    const answer = await fetch(serverAddress(url, server), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return [answer.status, await answer.text()] as const;
  };
  expect((await statusOf('two'))[0]).toBe(403);
  expect((await statusOf('two'))[1]).toContain('allow it under Clients in the panel');
  await panel.gateway.changeClient({ id, servers: ['two'] });
  expect(panel.gateway.listClients()).toMatchObject([{ name: 'editor', servers: ['two'] }]);
  expect([(await statusOf('one'))[0], (await statusOf('two'))[0]]).toEqual([403, 400]);
  await panel.gateway.changeClient({ id });
  expect(panel.gateway.listClients()[0]).not.toHaveProperty('servers');
  expect((await statusOf('one'))[0]).toBe(400);
  const unknown = async () => panel.gateway.changeClient({ id, servers: ['none'] });
  await expect(unknown()).rejects.toMatchObject({ code: 'SERVER_UNKNOWN' });
  await expect(panel.gateway.changeClient({ id: 'gone' })).rejects.toMatchObject({ code: 'CLIENT_UNKNOWN' });
});

it('a client cannot be limited to a server that there is not', async () => {
  const { panel } = await open();
  panel.start();
  expect(() => panel.gateway.createClient({ name: 'editor', servers: ['three'] })).toThrow(
    expect.objectContaining({ code: 'SERVER_UNKNOWN' }),
  );
});

it('a client for metrics reads them while they are served, and reaches no server', async () => {
  const opened = await open();
  await listening(opened);
  const { panel } = opened;
  const { token } = await panel.gateway.createClient({ name: 'collector', scopes: ['metrics'] });
  expect(panel.gateway.listClients()).toMatchObject([{ name: 'collector', scopes: ['metrics'] }]);
  const { url, servesMetrics } = panel.gateway.status();
  expect(servesMetrics).toBeUndefined();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const read = () => fetch(`${url}/metrics`, { headers });
  expect((await read()).status).toBe(404);
  await panel.settings.update({ gateway: { metrics: true } });
  expect(panel.gateway.status().servesMetrics).toBe(true);
  expect(await (await read()).text()).toContain('mcp_server_state{server="one"');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect((await fetch(serverAddress(url, 'one'), { method: 'POST', headers, body })).status).toBe(403);
  expect(panel.getSnapshot().events).toContainEqual(
    expect.objectContaining({ kind: 'client-connected', detail: { client: 'collector', reads: 'metrics' } }),
  );
});

it('what is wrong with clients.json is told', async () => {
  const { panel, home } = await open();
  panel.start();
  writeFileSync(join(home, 'clients.json'), 'nonsense');
  await until('the problem', () => panel.gateway.status().clientsProblem !== undefined);
  expect(panel.gateway.listClients()).toEqual([]);
});

it('refuses a server that is the panel itself, and goes on with the others', async () => {
  const opened = await open();
  const { panel } = opened;
  await listening(opened);
  const { port } = new URL(panel.gateway.status().url);
  const url = serverAddress(`http://localhost:${port}`, 'one');
  await expect(panel.entries.put({ name: 'one', url })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    data: { path: 'mcpServers.one.url', field: 'url' },
  });
  const bridge = { name: 'one', command: 'npx', args: ['-y', 'mcp-remote', url] };
  const taken = await panel.entries.putAll([bridge, { name: 'three', command: 'npx' }]);
  expect(taken.refused.map(({ name, error }) => [name, error.code])).toEqual([['one', 'CONFIG_INVALID']]);
  expect(Object.keys((await panel.entries.get('three')).entry)).toEqual(['command']);
  expect((await panel.entries.get('one')).entry['url']).toBeUndefined();
});
