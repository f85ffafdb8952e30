import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { replaceFile, serverOf, sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { entriesOf } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';

// A bus that nobody answers: no keyring, as the harness has it.
const panelWith = sharedPanel(usePanels('all'), { env: { MCP_CONTROL_PANEL_CONSENT: 'ask' } });

const TOKEN = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const fixture = fixtureServer();
const write = (panel: DrivenPanel, servers: unknown) =>
  replaceFile(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: servers }, null, 2));
const isRunning = async (panel: DrivenPanel, name: string) =>
  (await panel.snapshot()).servers.some((server) => server.name === name && server.state.kind === 'running');

it('runs what was edited outside only once a person has agreed, and what ran goes on', async () => {
  const panel = await panelWith();
  const { page } = panel;
  expect(await panel.call('putServer', { name: 'files', ...fixture })).toBeUndefined();
  await waitUntil('files to run', () => isRunning(panel, 'files'));
  const [before] = panel.serverProcesses();
  write(panel, {
    files: { ...fixture, args: [...fixture.args, '--delay-tools=1'] },
    added: fixture,
  });
  await page.keyboard.press('Control+1');
  await page.getByRole('status', { name: 'Changed outside the panel' }).getByText('2 servers').waitFor();
  expect(panel.serverProcesses()).toEqual([before]);
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('--delay-tools=1').waitFor();
  await dialog.getByRole('button', { name: 'Agree to files' }).click();
  await waitUntil('another process of files', () => {
    const now = panel.serverProcesses();
    return now.length === 1 && now[0]?.pid !== before?.pid;
  });
  await dialog.getByRole('button', { name: 'Agree to added' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitUntil('added to run', () => isRunning(panel, 'added'));
});

it('moves a token out of servers.json, hands it to the server alone, and puts it back', async () => {
  const panel = await panelWith();
  const { page } = panel;
  await panel.call('putServer', { name: 'github', ...fixture, env: { GITHUB_TOKEN: TOKEN } });
  await page.keyboard.press('Control+,');
  await page.getByRole('link', { name: 'Secrets' }).click();
  const section = page.getByRole('region', { name: 'Secrets', exact: true });
  await section.getByText('No secrets are kept yet.').waitFor();
  await section.getByRole('button', { name: 'Keep the key in a file' }).click();
  await section.getByText('anyone who can read your files').waitFor();
  await section.getByRole('button', { name: /^Move .*GITHUB_TOKEN of github to secrets$/ }).click();
  await section.getByRole('row', { name: 'GITHUB_TOKEN' }).getByRole('link', { name: 'github' }).waitFor();
  expect(entriesOf(panel)['github']?.['env']).toEqual({ GITHUB_TOKEN: '${secret:GITHUB_TOKEN}' });
  await waitUntil('github to run', () => isRunning(panel, 'github'));
  const held = () =>
    panel.serverProcesses().map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(TOKEN));
  await waitUntil('the server to have its token', () => held().length === 1 && held()[0]);
  for (const file of ['servers.json', 'servers.json.bak', 'secrets.json', 'consents.json'])
    expect(readFileSync(join(panel.home, file), 'utf8').includes(TOKEN), file).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitUntil('the token to be back', () =>
    JSON.stringify(entriesOf(panel)['github']?.['env']).includes(TOKEN),
  );
});

it('asks for what an entry leaves open, and starts the server with it', async () => {
  const panel = await panelWith();
  const { page } = panel;
  await panel.call('putServer', { name: 'maps', ...fixture, env: { MAPS_KEY: '<YOUR_API_KEY>' } });
  await waitUntil(
    'maps to say what it lacks',
    async () => (await serverOf(panel, 'maps')).lastError?.code === 'SECRET_MISSING',
  );
  expect(panel.serverProcesses()).toEqual([]);
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'Fix maps…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Values for maps' });
  await dialog
    .getByRole('textbox')
    .or(dialog.locator('input[type=password]'))
    .first()
    .fill('an answer of 20 chars');
  await dialog.getByRole('button', { name: 'Save and start' }).click();
  await waitUntil('maps to run', () => isRunning(panel, 'maps'));
});
