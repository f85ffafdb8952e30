import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { connectClient } from '../fixtures/gateways/connect-client.ts';
import { sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { dialog, running } from './support/driving.ts';
import { focusStop, tabTo } from './support/focus.ts';
import { waitUntil } from './support/wait-until.ts';

// Questions are asked because somebody is there to answer.
const panelWith = sharedPanel(usePanels('all'), {
  env: { MCP_CONTROL_PANEL_TEST: '', MCP_CONTROL_PANEL_CONSENT: 'agree' },
});

const CLIENT = 'workbench';
const CALLS = 4;

/** Entry of one server in the configuration of VS Code. */
interface VsCodeEntry {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

/** What a program needs to use one server. */
interface Access {
  readonly url: string;
  readonly token: string;
}

const focusIs = (page: Page, words: string) =>
  waitUntil(`the focus on "${words}"`, async () => (await focusStop(page)).words === words);

/** Goes to a control by the keyboard alone and presses it. */
async function pressOn(page: Page, words: string): Promise<void> {
  await tabTo(page, words);
  await page.keyboard.press('Enter');
}

/** Makes a client by the keyboard alone, and reads what the window shows for VS Code. */
async function addClient(panel: DrivenPanel, server: string): Promise<Access> {
  const { page } = panel;
  await page.keyboard.press('Control+4');
  await page.getByRole('region', { name: 'No client yet' }).waitFor();
  await pressOn(page, 'button Add a client…');
  await dialog(panel, 'Add a client').waitFor();
  await focusIs(page, 'input Name');
  await page.keyboard.type(CLIENT);
  await pressOn(page, 'button Create token');

  await dialog(panel, `Set up ${CLIENT}`).waitFor();
  await focusIs(page, 'button Done');
  await tabTo(page, 'select Program');
  await page.keyboard.type('VS Code');
  const snippet = page.getByLabel('Configuration for VS Code', { exact: true });
  await snippet.waitFor();
  await tabTo(page, 'input The file exists');
  await page.keyboard.press('ArrowRight');
  await focusIs(page, 'input New file');
  const { servers } = JSON.parse((await snippet.textContent()) ?? '') as {
    servers: Record<string, VsCodeEntry>;
  };
  expect(Object.keys(servers)).toEqual([server]);
  const { url, headers } = servers[server]!;
  const token = headers.Authorization.replace(/^Bearer /, '');
  expect(await holdsText(page, token)).toBe(true);
  await pressOn(page, 'button Done');
  await dialog(panel, `Set up ${CLIENT}`).waitFor({ state: 'detached' });
  return { url, token };
}

/** Whether the text stands anywhere in the page, or in what the page has stored. */
const holdsText = (page: Page, text: string) =>
  page.evaluate<boolean>(
    `[document.documentElement.outerHTML, ...[...document.querySelectorAll('input, textarea')].map((field) => field.value),
      location.href, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
        .some((place) => place.includes(${JSON.stringify(text)}))`,
  );

/** Files below the folder that hold the text, also as Chromium stores it, in UTF-16. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readIfThere(path);
      return bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'));
    });

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0); // Chromium removes files of its own at any time.
  }
}

/** What the window showed for the client, which is asked about until the panel has ended. */
let endpoint: Access;

/** Status of the answer to a request of the client outside its session. */
async function statusOf({ url, token }: Access): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.body?.cancel();
  return response.status;
}

it('lets a client in with what the window shows for it, shows what it does, and out when it is revoked', async () => {
  const panel = await panelWith({ worker: fixtureServer() });
  const { page } = panel;
  await running(panel, 'worker');

  endpoint = await addClient(panel, 'worker');
  expect(await holdsText(page, endpoint.token)).toBe(false);
  const row = page.getByRole('table', { name: 'Clients' }).getByRole('row', { name: CLIENT, exact: true });
  await row.getByText('Not connected', { exact: true }).waitFor();
  expect(await row.getByText('never', { exact: true }).count()).toBe(1);

  // The file of clients knows the client while it may connect, and only a fingerprint of its token.
  expect(filesWith(panel.home, CLIENT)).toContain(join(panel.home, 'clients.json'));
  expect(filesWith(panel.home, endpoint.token)).toEqual([]);

  const connected = await connectClient(endpoint);
  for (let index = 0; index < CALLS; index += 1) {
    const { content } = await connected.client.callTool({ name: 'echo', arguments: { text: `${index}` } });
    expect(content).toEqual([{ type: 'text', text: `${index}` }]);
  }
  await row.getByText('Connected', { exact: true }).waitFor();
  await row.getByText('test client 1.0.0').waitFor();
  await row.getByText(`${CALLS} calls in the last hour`).waitFor();
  expect(await row.getByRole('cell').nth(2).textContent()).toBe(`${CALLS}`);

  await pressOn(page, 'a worker');
  const users = page.getByRole('region', { name: 'Clients' });
  await users.getByRole('row', { name: CLIENT, exact: true }).getByText('test client 1.0.0').waitFor();
  const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
  await sessions.getByRole('cell', { name: CLIENT, exact: true }).waitFor();
  await pressOn(page, 'a Overview');
  const figure = page.getByRole('group', { name: 'Calls of worker', exact: true });
  await expect.poll(() => figure.textContent()).toBe(`${CALLS} /min`);

  await page.keyboard.press('Control+4');
  await row.waitFor();
  await pressOn(page, `button Revoke access of ${CLIENT}`);
  const question = dialog(panel, `Revoke ${CLIENT}?`);
  await question.getByText('Its session ends.').waitFor();
  await focusIs(page, 'button Keep it');
  expect(await statusOf(endpoint)).not.toBe(401);
  await pressOn(page, `button Revoke access of ${CLIENT}`);
  await question.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'No client yet' }).waitFor();

  await expect(
    connected.client.callTool({ name: 'echo', arguments: { text: 'late' } }),
  ).rejects.toMatchObject({
    code: 401,
  });
  expect(await statusOf(endpoint)).toBe(401);
  await connected.close();

  await page.keyboard.press('Control+3');
  const log = page.getByRole('log');
  const told = log.getByText(/client revoked.*workbench/);
  await told.waitFor();
  expect(await told.count()).toBe(1);

  expect(await holdsText(page, CLIENT)).toBe(true);
  expect(await holdsText(page, endpoint.token)).toBe(false);
});

it('makes a token that reads the metrics and reaches no server, and serves them at one press', async () => {
  const panel = await panelWith({ worker: fixtureServer() });
  const { page } = panel;
  await running(panel, 'worker');
  await page.keyboard.press('Control+4');
  await page.getByRole('button', { name: 'Add a client…' }).click();
  const form = dialog(panel, 'Add a client');
  await form.getByLabel('Name', { exact: true }).fill('collector');
  await form.getByText('Read metrics', { exact: true }).click();
  expect(await form.getByText('All servers', { exact: true }).count()).toBe(0);
  await form.getByRole('button', { name: 'Create token' }).click();
  const setup = dialog(panel, 'Set up collector');
  const snippet = await setup.getByLabel('Configuration for Prometheus', { exact: true }).textContent();
  const [, token] = /credentials: (\S+)/.exec(snippet ?? '') ?? [];
  const [, host] = /targets: \['(.+)'\]/.exec(snippet ?? '') ?? [];
  const read = () => fetch(`http://${host}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect((await read()).status).toBe(404);
  await setup.getByRole('button', { name: 'Serve them' }).click();
  await setup.getByRole('button', { name: 'Serve them' }).waitFor({ state: 'detached' });
  expect(await (await read()).text()).toContain('mcp_server_state{server="worker"');
  expect(await statusOf({ url: `http://${host}/servers/worker/mcp`, token: token ?? '' })).toBe(403);
  await setup.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: 'collector', exact: true });
  await row.getByText('Reads metrics', { exact: true }).waitFor();
  await page.keyboard.press('Control+,');
  await pressOn(page, 'a Gateway');
  const serves = page.getByRole('checkbox', { name: /^Serve metrics/ });
  await serves.waitFor();
  expect(await serves.isChecked()).toBe(true);
});

// It comes last because the panel ends with it, and is about the client of the first test.
it('leaves the token of a client nowhere, neither in a file nor in what the panel printed', async () => {
  const panel = await panelWith();
  // The files are searched after the end because Chromium writes some of them late.
  expect(await panel.terminate()).toBe(0);
  expect(filesWith(panel.home, CLIENT)).not.toEqual([]);
  expect(filesWith(panel.home, endpoint.token)).toEqual([]);
  expect([...panel.stdout(), ...panel.stderr()].join('\n')).not.toContain(endpoint.token);
});
