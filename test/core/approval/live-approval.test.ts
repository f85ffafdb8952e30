import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it, onTestFinished } from 'vitest';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { Worker } from 'node:worker_threads';
import { connectClient } from '../../fixtures/gateways/connect-client.ts';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { changingServer, tool } from '../../fixtures/changing-server.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { panelOptions } from '../panel/open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const STORE_WORKER = new URL('../../../electron/core/store/store-worker.ts', import.meta.url);
const startStoreWorker = () => new Worker(STORE_WORKER);

const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 20_000, describe });

/** A home whose one server asks before every call. */
function aHome(settings: object = {}, keepsArguments = true): string {
  const home = tempFolder('approval-');
  const one = { ...fixtureServer(), panel: { approval: { ask: 'all' }, ...settings } };
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one } }));
  writeFileSync(
    join(home, 'settings.json'),
    JSON.stringify({ gateway: { port: 0 }, ...(keepsArguments && { audit: { arguments: true } }) }),
  );
  return home;
}

async function open(home: string): Promise<ControlPanel> {
  const panel = await createPanel({ ...panelOptions(home), consent: 'ask', startStoreWorker });
  onTestFinished(() => panel.dispose());
  panel.start();
  await until('the gateway', () => !panel.gateway.status().url.endsWith(':0'));
  await until('the server', () => panel.getSnapshot().servers[0]?.state.kind === 'running');
  return panel;
}

async function connect(panel: ControlPanel, token: string): Promise<Client> {
  const url = serverAddress(panel.gateway.status().url, 'one');
  const { client } = await connectClient({ url, token });
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

async function newClient(panel: ControlPanel, name = 'editor'): Promise<Client> {
  const { token } = await panel.gateway.createClient({ name });
  return connect(panel, token);
}

/** Calls that reached the server. */
const runs = (panel: ControlPanel) => panel.output.calls('one', 0).reduce((sum, { calls }) => sum + calls, 0);
const echo = (client: Client, text = 'hello', signal?: AbortSignal) =>
  client.callTool({ name: 'echo', arguments: { text } }, undefined, signal && { signal });
const asked = async (panel: ControlPanel, count = 1) => {
  await until('the question', () => panel.approvals.list().length === count);
  return panel.approvals.list();
};
const refused = { data: { code: 'APPROVAL_REFUSED', server: 'one' } };

it('a call waits for a person, and runs once when it may, and not at all when it may not', async () => {
  const panel = await open(aHome());
  const client = await newClient(panel);
  const first = echo(client);
  const [question] = await asked(panel);
  expect(question).toMatchObject({ client: 'editor', server: 'one', tool: 'echo', isMarked: true });
  expect(question?.arguments).toContain('hello');
  expect(runs(panel)).toBe(0);
  await panel.approvals.answer({ id: question?.id ?? '', decision: 'once' });
  await expect(first).resolves.toMatchObject({ content: [{ text: 'hello' }] });
  expect(runs(panel)).toBe(1);

  const second = echo(client);
  const [next] = await asked(panel);
  await panel.approvals.answer({ id: next?.id ?? '', decision: 'refuse' });
  await expect(second).rejects.toMatchObject(refused);
  expect(runs(panel)).toBe(1);
  await expect(panel.approvals.answer({ id: next?.id ?? '', decision: 'once' })).rejects.toMatchObject({
    code: 'CANCELLED',
  });
  expect(runs(panel)).toBe(1);
});

it('a client that gives up and comes back is asked for again, and what it gave up never runs', async () => {
  const panel = await open(aHome());
  const client = await newClient(panel);
  const patience = new AbortController();
  const given = echo(client, 'first', patience.signal);
  const [question] = await asked(panel);
  patience.abort();
  await expect(given).rejects.toThrow();
  await until('the end of the question', () => panel.approvals.list().length === 0);
  await expect(panel.approvals.answer({ id: question?.id ?? '', decision: 'once' })).rejects.toMatchObject({
    code: 'CANCELLED',
  });
  const again = echo(client, 'second');
  const [next] = await asked(panel);
  await panel.approvals.answer({ id: next?.id ?? '', decision: 'once' });
  await expect(again).resolves.toMatchObject({ content: [{ text: 'second' }] });
  expect(runs(panel)).toBe(1);
});

it('an answer for always holds for its client and tool alone, also after the panel has begun anew, and can be taken back', async () => {
  const home = aHome();
  const panel = await open(home);
  const [editor, other] = [
    await panel.gateway.createClient({ name: 'editor' }),
    await panel.gateway.createClient({ name: 'other' }),
  ];
  const [one, two] = [await connect(panel, editor.token), await connect(panel, other.token)];
  const calls = [echo(one, 'a'), echo(two, 'b')];
  const questions = await asked(panel, 2);
  await panel.approvals.answer({
    id: questions.find(({ client }) => client === 'editor')?.id ?? '',
    decision: 'always',
  });
  await expect(calls[0]).resolves.toMatchObject({ content: [{ text: 'a' }] });
  expect(panel.approvals.list()).toMatchObject([{ client: 'other' }]);
  await echo(one, 'c');
  expect(runs(panel)).toBe(2);
  calls[1]?.catch(() => undefined);
  await panel.dispose();

  const next = await open(home);
  expect(next.approvals.decisions()).toMatchObject([{ client: 'editor', tool: 'echo' }]);
  await expect(echo(await connect(next, editor.token), 'd')).resolves.toMatchObject({
    content: [{ text: 'd' }],
  });
  await next.approvals.revoke(next.approvals.decisions()[0]?.id ?? '');
  void echo(await connect(next, editor.token), 'e').catch(() => undefined);
  await asked(next);
  expect(runs(next)).toBe(1);
});

it('a client whose connection broke off is not run for: it asks again, and its call runs once', async () => {
  const panel = await open(aHome());
  const { token } = await panel.gateway.createClient({ name: 'editor' });
  const url = serverAddress(panel.gateway.status().url, 'one');
  const gone = await connectClient({ url, token });
  const lost = echo(gone.client, 'lost').catch(() => undefined);
  const [question] = await asked(panel);
  // Without a word: neither a cancellation nor the end of the session reaches the panel.
  await gone.client.transport?.close();
  await lost;
  const back = echo(await connect(panel, token), 'again');
  const both = await asked(panel, 2);
  await panel.approvals.answer({ id: question?.id ?? '', decision: 'once' });
  expect(runs(panel)).toBe(0);
  const next = both.find(({ id }) => id !== question?.id);
  await panel.approvals.answer({ id: next?.id ?? '', decision: 'once' });
  await expect(back).resolves.toMatchObject({ content: [{ text: 'again' }] });
  expect(runs(panel)).toBe(1);
});

it('an answer for always ends with the tool that it was given for: a tool that changed is asked about anew', async () => {
  const home = aHome();
  const { folder, entry, offer } = changingServer();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one: entry } }));
  const panel = await open(home);
  await panel.approvals.setAsk({ name: 'one', ask: 'never', tools: { a: true } });
  expect(JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8'))).toMatchObject({
    mcpServers: { one: { panel: { approval: { tools: { a: true } } } } },
  });
  const client = await newClient(panel);
  const call = (name: string) => client.callTool({ name, arguments: {} });
  await expect(call('b')).resolves.toMatchObject({ content: [{ text: 'ran b' }] });
  const first = call('a');
  const [question] = await asked(panel);
  await panel.approvals.answer({ id: question?.id ?? '', decision: 'always' });
  await first;
  await expect(call('a')).resolves.toMatchObject({ content: [{ text: 'ran a' }] });

  offer([tool('a', 'It is another.'), tool('b')], '2.0.0');
  await panel.servers.restart('one');
  await until('the new text', () => panel.getSnapshot().servers[0]?.changedTools?.shown === 1);
  const again = call('a');
  const [next] = await asked(panel);
  expect(next?.digest).not.toBe(question?.digest);
  await panel.approvals.answer({ id: next?.id ?? '', decision: 'refuse' });
  await expect(again).rejects.toMatchObject(refused);
});

it('the list of calls keeps no arguments unless a person wants them, and its file no formula', async () => {
  const panel = await open(aHome({ approval: { ask: 'never' } }, false));
  await echo(await newClient(panel, '=1+1'), 'private');
  await until('the row', () => runs(panel) === 1);
  const { rows } = await panel.approvals.audit({ sinceMs: 0 });
  expect(rows).toMatchObject([{ client: '=1+1', tool: 'echo', outcome: 'result' }]);
  expect(JSON.stringify(rows)).not.toContain('private');
  const now = Date.now();
  const usage = await panel.history.callUsage({ from: now - 3_600_000, to: now, by: 'each' });
  expect(usage.rows).toMatchObject([
    { server: 'one', tool: 'echo', client: '=1+1', calls: 1, toolErrors: 0 },
  ]);
  expect(usage.rows[0]?.bytesIn).toBeGreaterThan('private'.length);
  expect(usage.rows[0]?.bytesOut).toBeGreaterThan('private'.length);
  const file = await panel.approvals.export({ sinceMs: 0, format: 'csv' });
  expect(file).toContain(",'=1+1,one,echo,");
});

it('answers that another program wrote into the file count as nothing', async () => {
  const home = aHome();
  const first = await open(home);
  await first.dispose();
  const decisions = [{ id: 'x', clientId: 'c', client: 'editor', server: 'one', tool: 'echo', digest: 'd' }];
  writeFileSync(
    join(home, 'approvals.json'),
    JSON.stringify({ kind: 'approvals', decisions, seal: 'ab'.repeat(32) }),
  );
  expect((await open(home)).approvals.decisions()).toEqual([]);
});

it('a call that nobody answers is refused when its time is over, and the list of calls has them all', async () => {
  const panel = await open(aHome({ calls: { timeoutMs: 1000 } }));
  const client = await newClient(panel);
  await expect(echo(client, '=1+1')).rejects.toMatchObject(refused);
  expect(runs(panel)).toBe(0);
  const allowed = echo(client, 'fine');
  const [question] = await asked(panel);
  await panel.approvals.answer({ id: question?.id ?? '', decision: 'once' });
  await allowed;
  const { rows, isIntact, hasMore } = await panel.approvals.audit({ sinceMs: 0 });
  expect({ isIntact, hasMore }).toEqual({ isIntact: true, hasMore: false });
  expect(rows).toMatchObject([
    {
      ...{ client: 'editor', server: 'one', tool: 'echo', outcome: 'result', approvedBy: 'once' },
      arguments: '{"text":"fine"}',
    },
    { client: 'editor', outcome: 'lost', approvedBy: 'timeout', arguments: '{"text":"=1+1"}' },
  ]);
  expect((await panel.approvals.audit({ sinceMs: 0, text: 'FINE' })).rows).toHaveLength(1);
  expect((await panel.approvals.audit({ sinceMs: 0, text: '%' })).rows).toHaveLength(0);
  expect((await panel.approvals.export({ sinceMs: 0, format: 'csv' })).split('\r\n')).toHaveLength(4);
  const lines = (await panel.approvals.export({ sinceMs: 0, format: 'jsonl' })).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(['lost', 'result']);
});
