import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { freePort } from '../fixtures/gateways/free-port.ts';
import type { ClientView } from '../../shared/gateway.ts';
import { sharedPanel, usePanels } from './harness.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
const user = panels.tempFolder('moving-');
const home = join(user, 'panel');
mkdirSync(home);
// The bridge looks for the port in the settings.
writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: await freePort() } }));
const panelWith = sharedPanel(panels, {
  home,
  env: { HOME: user, XDG_CONFIG_HOME: join(user, '.config') },
});

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file of a program below the user's home, with one server. Returns its path and text. */
function fileOf(path: readonly string[], server: string, before = ''): { path: string; text: string } {
  const target = join(user, ...path);
  mkdirSync(join(target, '..'), { recursive: true });
  const { command, args } = fixtureServer();
  const text = `{\n${before}\t"mcpServers": { "${server}": ${JSON.stringify({ command, args })} }\n}`;
  writeFileSync(target, text);
  return { path: target, text };
}

it('moves a server from the Clients view, and puts it back byte for byte', async () => {
  const { path, text } = fileOf(['.cursor', 'mcp.json'], 'github', '\t// by hand\n');
  const panel = await panelWith();
  const { page } = panel;
  await page.keyboard.press('Control+4');
  const cursor = page.getByRole('region', { name: 'Cursor', exact: true });
  await cursor.getByRole('checkbox', { name: /^github/ }).check();
  await page.getByRole('button', { name: 'Move 1 server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move servers to the panel' });
  await dialog.getByText('/servers/github/mcp').waitFor();
  expect(readFileSync(path, 'utf8')).toBe(text);
  await dialog.getByRole('button', { name: 'Move 1 server', exact: true }).click();
  await cursor.getByText('Through the panel').waitFor();
  expect(readFileSync(path, 'utf8')).toMatch(/by hand[^]*\/servers\/github\/mcp[^]*Bearer mcpcp_/);
  expect((await panel.snapshot()).servers.map(({ name }) => name)).toEqual(['github']);
  await dialog.waitFor({ state: 'detached' });
  await cursor.getByRole('button', { name: 'Back: Cursor' }).click();
  await cursor.getByText('Through the panel').waitFor({ state: 'detached' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('leads a program that only starts programs through the bridge', async () => {
  const { path, text } = fileOf(['.config', 'Claude', 'claude_desktop_config.json'], 'notes');
  const panel = await panelWith();
  const move = { client: 'claude-desktop', servers: [{ name: 'notes', scope: 'user' }] };
  const plan = await panel.call<{ precondition?: string }>('moveServers', move);
  expect(plan).toMatchObject({ difference: [{ server: 'notes', path }] });
  expect(plan.precondition).toMatch(/^[0-9a-f]{64}$/);
  expect(await panel.call('moveServers', { ...move, commit: 'of another file' })).toMatchObject({
    rejected: { code: 'CONFIG_CONFLICT' },
  });
  await panel.call('moveServers', { ...move, commit: plan.precondition });
  const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: { notes: Entry } };
  const { command, args, env } = mcpServers.notes;
  const client = new Client({ name: 'desktop', version: '1' });
  const transport = new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' });
  try {
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    // A panel that is too busy for an answer is used from the next idle moment on.
    await waitUntil('a call through the panel', async () => {
      const answer = await client.callTool({ name: 'echo', arguments: { text: 'through the bridge' } });
      expect(JSON.stringify(answer)).toContain('through the bridge');
      const clients = await panel.call<ClientView[]>('listClients');
      return clients.some(({ name, calls }) => name === 'Claude Desktop' && calls > 0);
    });
  } finally {
    await client.close();
  }
  expect(await panel.call('restoreServers', { client: 'claude-desktop' })).toMatchObject({
    restored: [{ server: 'notes' }],
    asked: [],
  });
  expect(readFileSync(path, 'utf8')).toBe(text);
});
