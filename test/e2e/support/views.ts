import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { GatewayStatus } from '../../../shared/gateway.ts';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { everyState, type CallablePanel } from './every-state.ts';

/** Panel that the views are of. */
export interface ViewedPanel extends CallablePanel {
  readonly home: string;
  /** Clients that a view connected; whoever opens the views closes them. */
  readonly clients: ConnectedClient[];
}

export interface View {
  readonly name: string;
  /** Opens the place from the overview, with nothing open on it. */
  readonly open: (page: Page, panel: ViewedPanel) => Promise<unknown>;
}

export const go = (page: Page, hash: string) =>
  page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
/** Shows a view, and waits for something that stands there. */
async function show(page: Page, hash: string, words: string): Promise<void> {
  await go(page, hash);
  await page.locator('main').getByText(words).first().waitFor();
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true });

export async function openDialog(page: Page, shortcut: string): Promise<void> {
  await page.keyboard.press(shortcut);
  await page.getByRole('dialog').waitFor();
}

async function openMenu(page: Page, server: string, item?: string): Promise<void> {
  const more = button(page, `More for ${server}`);
  // To the upper edge, where the sticky header would else cover half a row.
  await page.evaluate(
    `document.querySelector('[role="row"][aria-label="${server}"]').scrollIntoView({ block: 'start' })`,
  );
  // The list says in the next frame that it was scrolled, and that closes a menu.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await more.click();
  const menu = page.getByRole('menu');
  if (item !== undefined) await menu.getByRole('menuitem', { name: item }).click();
}

async function callTool(page: Page, tool: string, args: Readonly<Record<string, string>>): Promise<void> {
  await go(page, '#/servers/everything/tools');
  await page.getByRole('navigation', { name: 'Offer' }).getByRole('button', { name: tool }).first().click();
  const form = page.getByRole('form', { name: `Arguments of ${tool}` });
  for (const [name, value] of Object.entries(args)) await form.getByLabel(name, { exact: true }).fill(value);
  await button(page, `Call ${tool}`).click();
}

async function expandEvents(page: Page): Promise<void> {
  await go(page, '#/activity');
  const closed = page.getByRole('log').locator('button[aria-expanded="false"]:not([aria-haspopup])');
  await closed.first().waitFor();
  // The loop opens everything, because what opens may hold more that can be opened.
  while ((await closed.count()) > 0) await closed.first().click();
}

async function addWrongly(page: Page): Promise<void> {
  await openDialog(page, 'Control+n');
  await field(page, 'Name').fill('everything');
  await button(page, 'Add').click();
  await page.getByText('Enter a command, for example').waitFor();
}

async function addClient(page: Page): Promise<void> {
  await go(page, '#/clients');
  await button(page, 'Add a client…').click();
  await field(page, 'Name').fill('Cursor');
}

/** Shows the clients with one that stays connected until the end. */
async function showConnected(page: Page, panel: ViewedPanel): Promise<void> {
  const { token } = await panel.call<{ token: string }>('createClient', { name: 'connected' });
  const { url } = await panel.call<GatewayStatus>('getGateway');
  const connection = await connectClient({ url: serverAddress(url, 'everything'), token });
  await connection.client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  panel.clients.push(connection);
  await show(page, '#/clients', 'test client 1.0.0');
}

/** Places of the window that a person can come to, with the servers of `everyState`. */
export const views: readonly View[] = [
  {
    name: 'the overview by groups, narrowed by a filter',
    open: async (page) => {
      await page.getByLabel('Group', { exact: true }).selectOption('state');
      await page.getByLabel('Filter', { exact: true }).selectOption('attention');
      await page.getByText(/\d+ of \d+ shown/).waitFor();
    },
  },
  {
    name: 'a search without a match',
    open: (page) => page.getByLabel('Search servers').fill('nothing is called so'),
  },
  {
    name: 'the page of a server that crashes',
    open: (page) => show(page, '#/servers/crashes', 'Open logs'),
  },
  {
    name: 'the page of a server that cannot start',
    open: (page) => show(page, '#/servers/missing', 'Copy for a bug report'),
  },
  {
    name: 'the calls of a server',
    open: (page) => show(page, '#/servers/everything/calls', 'No client has called a tool in this time.'),
  },
  {
    name: 'the processes of a server',
    open: (page) => show(page, '#/servers/everything/processes', 'End…'),
  },
  {
    name: 'the page of a server that never ran',
    open: (page) => show(page, '#/servers/idle', 'Nothing has been measured since'),
  },
  {
    name: 'the page of a server that is not there',
    open: (page) => show(page, '#/servers/nobody', 'There is no server'),
  },
  {
    name: 'the logs of a server, searched',
    open: async (page) => {
      await show(page, '#/servers/noisy/logs', 'cannot read config');
      await page.getByLabel('Search the logs').fill('config');
      await page.getByText(/^\d+ of \d+ lines?$/).waitFor();
      await page.getByRole('button', { name: 'Show only matching lines' }).click();
      await page.getByRole('log', { name: 'Logs' }).focus();
      await page.keyboard.press('Control+a');
      await page.getByText(/^\d+ lines? selected/).waitFor();
    },
  },
  {
    name: 'the inspector with a result',
    open: async (page) => {
      await callTool(page, 'echo', { message: 'hello' });
      await page.getByText('Answered').waitFor();
    },
  },
  {
    name: 'the inspector with refused arguments',
    open: (page) => callTool(page, 'get-sum', { a: '1' }),
  },
  {
    name: 'the inspector with arguments and result as JSON',
    open: async (page) => {
      await callTool(page, 'get-sum', { a: '1', b: '2' });
      await page.getByText('Answered').waitFor();
      for (const group of ['Arguments as', 'Result as'])
        await page.getByRole('radiogroup', { name: group }).getByText('JSON').click();
    },
  },
  {
    name: 'the inspector with a call in flight',
    open: async (page) => {
      await callTool(page, 'trigger-long-running-operation', { duration: '8', steps: '4' });
      await page.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'sessions that are in use',
    open: (page) => show(page, '#/servers/everything/sessions', 'Last use'),
  },
  {
    name: 'why a server restarted',
    open: async (page) => {
      await show(page, '#/servers/crashes/restarts', 'Stops and restarts');
      await page.locator('[data-end] button[aria-expanded]').first().click();
      await page.getByRole('list', { name: 'What happened' }).waitFor();
    },
  },
  {
    name: 'the usage of all servers',
    open: async (page) => {
      await go(page, '#/usage');
      await page.getByRole('table', { name: 'Memory by server' }).waitFor();
    },
  },
  {
    name: 'the usage of all servers as a table',
    open: async (page) => {
      await go(page, '#/usage');
      await page.getByText('Table', { exact: true }).click();
      await page.getByRole('table', { name: 'Usage by server' }).waitFor();
    },
  },
  {
    name: 'the comparison of two servers',
    open: async (page) => {
      await go(page, '#/compare/everything,noisy');
      await page.getByRole('list', { name: 'Memory by server' }).waitFor();
    },
  },
  {
    name: 'the comparison before there is one',
    open: (page) => show(page, '#/compare', 'Choose up to six servers'),
  },
  { name: 'the activity with every event opened', open: expandEvents },
  {
    name: 'the activity without a match',
    open: async (page) => {
      await go(page, '#/activity');
      await page.getByLabel('Kind of event').selectOption('orphan-reaped');
      await page.getByText('Nothing of this kind').waitFor();
    },
  },
  {
    name: 'the clients before there is one',
    open: (page) => show(page, '#/clients', 'Claude Code, VS Code, Cursor'),
  },
  {
    name: 'the form that adds a client for chosen servers',
    open: async (page) => {
      await addClient(page);
      await page.getByRole('dialog').getByText('Chosen servers').click();
      await page.getByRole('list', { name: 'Servers it may use' }).waitFor();
    },
  },
  {
    name: 'the token of a client with what its program is given',
    open: async (page) => {
      await addClient(page);
      await button(page, 'Create its token').click();
      await page.getByLabel('Configuration for Cursor', { exact: true }).waitFor();
    },
  },
  { name: 'the clients, one of them connected', open: showConnected },
  {
    name: 'the page of a client',
    open: async (page) => {
      await go(page, '#/clients');
      await page.getByRole('link', { name: 'connected', exact: true }).click();
      await page.getByRole('list', { name: 'Sessions of connected' }).waitFor();
      await page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
    },
  },
  {
    name: 'the clients of a server',
    open: (page) => show(page, '#/servers/everything/sessions', 'Supports'),
  },
  {
    name: 'the question before a client is revoked',
    open: async (page) => {
      await go(page, '#/clients');
      await button(page, 'Revoke access of connected').click();
      await page.getByRole('dialog').getByText('Its session ends').waitFor();
    },
  },
  {
    name: 'the question before a token is renewed',
    open: async (page) => {
      await go(page, '#/clients');
      await button(page, 'New token for connected').click();
      await button(page, 'Renew the token').waitFor();
    },
  },
  { name: 'the settings', open: (page) => show(page, '#/settings', 'Start at login') },
  {
    name: 'the defaults of servers',
    open: (page) => show(page, '#/settings/server-defaults', 'Usual: 1024 MiB.'),
  },
  {
    name: 'the settings, searched',
    open: async (page) => {
      await go(page, '#/settings');
      await page.getByLabel('Search the settings').fill('limit');
      await page.getByRole('link', { name: /^Webhook|was over a limit/ }).waitFor();
    },
  },
  {
    name: 'the form of a new secret, and the choice of a passphrase',
    open: async (page) => {
      await go(page, '#/settings/secrets');
      await button(page, 'Use a passphrase…').click();
      await button(page, 'Add a secret…').click();
      await page.getByRole('form', { name: 'New secret' }).waitFor();
    },
  },
  {
    name: 'the form of a rule of alerts',
    open: async (page) => {
      await go(page, '#/settings/alerts');
      await button(page, 'Add a rule…').click();
      await page.getByRole('form', { name: 'New rule' }).waitFor();
    },
  },
  {
    name: 'the diagnostics with a part shown',
    open: async (page) => {
      await go(page, '#/settings/diagnostics');
      await button(page, 'Copy or save diagnostics…').click();
      await button(page, 'Show Figures').click();
    },
  },
  { name: 'the form that adds a server', open: (page) => openDialog(page, 'Control+n') },
  { name: 'the form with problems', open: addWrongly },
  {
    name: 'the form with variables and supervision',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await button(page, 'Add variable').click();
      await page.getByRole('dialog').getByText('Supervision').click();
    },
  },
  {
    name: 'the form for an address',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await page.getByRole('dialog').getByText('Remote URL').click();
    },
  },
  {
    name: 'the form as JSON',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await page.getByRole('dialog').getByText('JSON', { exact: true }).click();
    },
  },
  {
    name: 'the form with a connection that was tried',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await field(page, 'Name').fill('tried');
      await field(page, 'Command').fill('/no/such/program');
      await button(page, 'Test connection').click();
      await page.getByRole('dialog').getByText('/no/such/program').first().waitFor();
    },
  },
  {
    name: 'the question about what was typed',
    open: async (page) => {
      await addWrongly(page);
      await page.keyboard.press('Escape');
      await button(page, 'Keep editing').waitFor();
    },
  },
  {
    name: 'the place to paste a configuration',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await button(page, 'paste several at once').click();
    },
  },
  {
    name: 'a configuration that was pasted',
    open: async (page) => {
      await openDialog(page, 'Control+n');
      await button(page, 'paste several at once').click();
      const pasted = {
        mcpServers: { one: everyState.noisy, two: { url: 'http://127.0.0.1:1/mcp' }, three: 3 },
      };
      await field(page, 'Configuration to read').fill(JSON.stringify(pasted));
      await page.getByText('Recognised 2 servers.').waitFor();
    },
  },
  {
    name: 'the import',
    open: async (page) => {
      await openDialog(page, 'Control+i');
      await page.getByRole('dialog').getByText('VS Code').waitFor();
    },
  },
  {
    name: 'the form that edits a server',
    open: async (page) => {
      await openMenu(page, 'everything', 'Edit');
      await field(page, 'Command').waitFor();
    },
  },
  {
    name: 'the form of a server that was changed on disk meanwhile',
    open: async (page, panel) => {
      await openMenu(page, 'noisy', 'Edit');
      await field(page, 'Working folder').fill('/tmp');
      const changed = { ...everyState, noisy: { ...everyState.noisy, env: { GREETING: 'hello' } } };
      writeFileSync(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: changed }));
      await page.getByText('was changed on disk').waitFor();
    },
  },
  // The first one, because twice as large the list keeps no row above it that is half under the header.
  { name: 'the menu of a server', open: (page) => openMenu(page, 'crashes') },
  { name: 'the question before a server is removed', open: (page) => openMenu(page, 'noisy', 'Remove') },
  {
    name: 'the commands',
    open: async (page) => {
      await openDialog(page, 'Control+k');
      await page.keyboard.type('st');
    },
  },
  {
    name: 'the commands without a match',
    open: async (page) => {
      await openDialog(page, 'Control+k');
      await page.keyboard.type('nothing is called so');
    },
  },
  {
    name: 'the note of what was done',
    open: async (page) => {
      await openMenu(page, 'idle', 'Remove');
      await page.getByText('Removed idle from servers.json.').waitFor();
    },
  },
  {
    name: 'the question about a definition from outside',
    open: async (page, { home }) => {
      const file = join(home, 'servers.json');
      const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, object> };
      const outside = { command: 'npx', args: ['-y', 'x'], disabled: true };
      writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, outside } }));
      await button(page, 'Review…').click();
      await button(page, 'Agree to outside').waitFor();
    },
  },
  {
    name: 'the question for values that an entry leaves open',
    open: async (page, panel) => {
      const env = { API_KEY: '<YOUR_API_KEY>' };
      await panel.call('putServer', { name: 'asks', command: 'npx', args: ['-y', 'x'], env });
      await go(page, '#/servers/asks');
      await button(page, 'Enter the values…').click();
      await field(page, 'API_KEY').waitFor();
    },
  },
];

/** Returns to the overview, whatever is open. */
export async function leave(page: Page): Promise<void> {
  for (let open = 3; open > 0 && (await page.locator('dialog[open], [role="menu"]').count()) > 0; open -= 1) {
    await page.keyboard.press('Escape');
    const discard = button(page, 'Discard changes');
    if (await discard.isVisible()) await discard.click();
  }
  await go(page, '#/servers');
  await page.getByLabel('Search servers').fill('');
  await page.getByLabel('Filter', { exact: true }).selectOption('all');
  await page.getByLabel('Group', { exact: true }).selectOption('none');
}

/** Opens the sections of a server's page one after the other, and has each looked at. Returns how many there are. */
export async function eachSection(
  page: Page,
  server: string,
  look: (section: string) => Promise<void>,
): Promise<number> {
  await leave(page);
  await go(page, `#/servers/${server}`);
  const sections = page.getByRole('navigation', { name: `Sections of ${server}` }).getByRole('link');
  await sections.first().waitFor();
  const names = await sections.allTextContents();
  for (const name of names) {
    await sections.getByText(name, { exact: true }).click();
    await sections.and(page.locator('[aria-current="page"]')).getByText(name, { exact: true }).waitFor();
    await look(name);
  }
  return names.length;
}

/** Breaks servers.json, and waits until the window says so. */
export async function breakConfiguration(page: Page, home: string): Promise<void> {
  await leave(page);
  writeFileSync(join(home, 'servers.json'), '{ "mcpServers": { "noisy": ');
  await page.getByRole('alert', { name: 'Configuration error' }).waitFor();
}

/** Opens all that a panel without servers shows. */
export async function openFirstStart(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Found on this machine' }).waitFor();
  await page.getByText('Or edit the file yourself').click();
}
