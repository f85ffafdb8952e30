import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { GatewayStatus } from '../../../shared/gateway.ts';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { everyState, type CallablePanel } from './every-state.ts';

/** Panel that the views are of. */
interface ViewedPanel extends CallablePanel {
  readonly home: string;
  /** Clients that a view connected; whoever opens the views closes them. */
  readonly clients: ConnectedClient[];
}

type Step = (page: Page, panel: ViewedPanel) => Promise<unknown>;

export interface View {
  readonly name: string;
  /** Opens the place from the overview, with nothing open on it. */
  readonly open: Step;
}

const view = (name: string, ...steps: readonly Step[]): View => ({
  name,
  open: async (page, panel) => {
    for (const step of steps) await step(page, panel);
  },
});

export const go = (page: Page, hash: string) =>
  page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
/** Goes to an address, and waits for something that stands there. */
export const to = (hash: string, words?: string) => async (page: Page) => {
  await go(page, hash);
  if (words !== undefined) await page.locator('main').getByText(words).first().waitFor();
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true });

export const dialogOf = (shortcut: string) => async (page: Page) => {
  await page.keyboard.press(shortcut);
  await page.getByRole('dialog').waitFor();
};

const menuOf = (server: string, item?: string) => async (page: Page) => {
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
};

const callOf = (tool: string, args: Readonly<Record<string, string>>) => async (page: Page) => {
  await go(page, '#/servers/everything/tools');
  await page.getByRole('navigation', { name: 'Offer' }).getByRole('button', { name: tool }).first().click();
  const form = page.getByRole('form', { name: `Arguments of ${tool}` });
  for (const [name, value] of Object.entries(args)) await form.getByLabel(name, { exact: true }).fill(value);
  await button(page, `Call ${tool}`).click();
};

async function expandEvents(page: Page): Promise<void> {
  await go(page, '#/activity');
  const closed = page.getByRole('log').locator('button[aria-expanded="false"]:not([aria-haspopup])');
  await closed.first().waitFor();
  // The loop opens everything, because what opens may hold more that can be opened.
  while ((await closed.count()) > 0) await closed.first().click();
}

async function addWrongly(page: Page): Promise<void> {
  await dialogOf('Control+n')(page);
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
  await to('#/clients', 'test client 1.0.0')(page);
}

/** Places of the window that a person can come to, with the servers of `everyState`. */
export const views: readonly View[] = [
  view('the overview by groups, narrowed by a filter', async (page) => {
    await page.getByLabel('Group', { exact: true }).selectOption('state');
    await page.getByLabel('Filter', { exact: true }).selectOption('attention');
    await page.getByText(/\d+ of \d+ shown/).waitFor();
  }),
  view('a search without a match', (page) => page.getByLabel('Search servers').fill('nothing is called so')),
  view('the page of a server that crashes', to('#/servers/crashes', 'Open logs')),
  view('the page of a server that cannot start', to('#/servers/missing', 'Copy for a bug report')),
  view(
    'the calls of a server',
    to('#/servers/everything/calls', 'No client has called a tool in this time.'),
  ),
  view('the processes of a server', to('#/servers/everything/processes', 'End…')),
  view('the page of a server that never ran', to('#/servers/idle', 'Nothing has been measured since')),
  view('the page of a server that is not there', to('#/servers/nobody', 'There is no server')),
  view('the logs of a server, searched', to('#/servers/noisy/logs', 'cannot read config'), async (page) => {
    await page.getByLabel('Search the logs').fill('config');
    await page.getByText(/^\d+ of \d+ lines?$/).waitFor();
    await page.getByRole('button', { name: 'Show only matching lines' }).click();
    await page.getByRole('log', { name: 'Logs' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText(/^\d+ lines? selected/).waitFor();
  }),
  view('the inspector with a result', callOf('echo', { message: 'hello' }), (page) =>
    page.getByText('Answered').waitFor(),
  ),
  view('the inspector with refused arguments', callOf('get-sum', { a: '1' })),
  view(
    'the inspector with arguments and result as JSON',
    callOf('get-sum', { a: '1', b: '2' }),
    async (page) => {
      await page.getByText('Answered').waitFor();
      for (const group of ['Arguments as', 'Result as'])
        await page.getByRole('radiogroup', { name: group }).getByText('JSON').click();
    },
  ),
  view(
    'the inspector with a call in flight',
    callOf('trigger-long-running-operation', { duration: '8', steps: '4' }),
    (page) => page.getByRole('progressbar').waitFor(),
  ),
  view('sessions that are in use', to('#/servers/everything/sessions', 'Last use')),
  view('why a server restarted', to('#/servers/crashes/restarts', 'Stops and restarts'), async (page) => {
    await page.locator('[data-end] button[aria-expanded]').first().click();
    await page.getByRole('list', { name: 'What happened' }).waitFor();
  }),
  view('the usage of all servers', to('#/usage'), (page) =>
    page.getByRole('table', { name: 'Memory by server' }).waitFor(),
  ),
  view('the usage of all servers as a table', to('#/usage'), async (page) => {
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('table', { name: 'Usage by server' }).waitFor();
  }),
  view('the comparison of two servers', to('#/compare/everything,noisy'), (page) =>
    page.getByRole('list', { name: 'Memory by server' }).waitFor(),
  ),
  view('the comparison before there is one', to('#/compare', 'Choose up to six servers')),
  view('the activity with every event opened', expandEvents),
  view('the activity without a match', to('#/activity'), async (page) => {
    await page.getByLabel('Kind of event').selectOption('orphan-reaped');
    await page.getByText('Nothing of this kind').waitFor();
  }),
  view('the clients before there is one', to('#/clients', 'Claude Code, VS Code, Cursor')),
  view('the form that adds a client for chosen servers', addClient, async (page) => {
    await page.getByRole('dialog').getByText('Chosen servers').click();
    await page.getByRole('list', { name: 'Servers it may use' }).waitFor();
  }),
  view('the token of a client with what its program is given', addClient, async (page) => {
    await button(page, 'Create token').click();
    await page.getByLabel('Configuration for Cursor', { exact: true }).waitFor();
  }),
  view('the clients, one of them connected', showConnected),
  view('the page of a client', to('#/clients'), async (page) => {
    await page.getByRole('link', { name: 'connected', exact: true }).click();
    await page.getByRole('list', { name: 'Sessions of connected' }).waitFor();
    await page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
  }),
  view('the clients of a server', to('#/servers/everything/sessions', 'Supports')),
  view('the question before a client is revoked', to('#/clients'), async (page) => {
    await button(page, 'Revoke access of connected').click();
    await page.getByRole('dialog').getByText('Its session ends').waitFor();
  }),
  view('the question before a token is renewed', to('#/clients'), async (page) => {
    await button(page, 'New token for connected').click();
    await button(page, 'Renew the token').waitFor();
  }),
  view('the settings', to('#/settings', 'Start at login')),
  view('the defaults of servers', to('#/settings/server-defaults', 'Usual: 1024 MiB.')),
  view('the settings, searched', to('#/settings'), async (page) => {
    await page.getByLabel('Search the settings').fill('limit');
    await page.getByRole('link', { name: /^Webhook|was over a limit/ }).waitFor();
  }),
  view('the form of a new secret, and the choice of a passphrase', to('#/settings/secrets'), async (page) => {
    await button(page, 'Use a passphrase…').click();
    await button(page, 'Add a secret…').click();
    await page.getByRole('form', { name: 'New secret' }).waitFor();
  }),
  view('the form of a rule of alerts', to('#/settings/alerts'), async (page) => {
    await button(page, 'Add a rule…').click();
    await page.getByRole('form', { name: 'New rule' }).waitFor();
  }),
  view('the diagnostics with a part shown', to('#/settings/diagnostics'), async (page) => {
    await button(page, 'Copy or save diagnostics…').click();
    await button(page, 'Show Figures').click();
  }),
  view('the form that adds a server', dialogOf('Control+n')),
  view('the form with problems', addWrongly),
  view('the form with variables and supervision', dialogOf('Control+n'), async (page) => {
    await button(page, 'Add variable').click();
    await page.getByRole('dialog').getByText('Supervision').click();
  }),
  view('the form for an address', dialogOf('Control+n'), (page) =>
    page.getByRole('dialog').getByText('Remote URL').click(),
  ),
  view('the form as JSON', dialogOf('Control+n'), (page) =>
    page.getByRole('dialog').getByText('JSON', { exact: true }).click(),
  ),
  view('the form with a connection that was tried', dialogOf('Control+n'), async (page) => {
    await field(page, 'Name').fill('tried');
    await field(page, 'Command').fill('/no/such/program');
    await button(page, 'Test connection').click();
    await page.getByRole('dialog').getByText('/no/such/program').first().waitFor();
  }),
  view('the question about what was typed', addWrongly, async (page) => {
    await page.keyboard.press('Escape');
    await button(page, 'Keep editing').waitFor();
  }),
  view('the place to paste a configuration', dialogOf('Control+n'), (page) =>
    button(page, 'paste several at once').click(),
  ),
  view('a configuration that was pasted', dialogOf('Control+n'), async (page) => {
    await button(page, 'paste several at once').click();
    const pasted = {
      mcpServers: { one: everyState.noisy, two: { url: 'http://127.0.0.1:1/mcp' }, three: 3 },
    };
    await field(page, 'Configuration to read').fill(JSON.stringify(pasted));
    await page.getByText('Recognised 2 servers.').waitFor();
  }),
  view('the import', dialogOf('Control+i'), (page) =>
    page.getByRole('dialog').getByText('VS Code').waitFor(),
  ),
  view('the form that edits a server', menuOf('everything', 'Edit'), (page) =>
    field(page, 'Command').waitFor(),
  ),
  view(
    'the form of a server that was changed on disk meanwhile',
    menuOf('noisy', 'Edit'),
    async (page, panel) => {
      await field(page, 'Working folder').fill('/tmp');
      const changed = { ...everyState, noisy: { ...everyState.noisy, env: { GREETING: 'hello' } } };
      writeFileSync(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: changed }));
      await page.getByText('was changed on disk').waitFor();
    },
  ),
  // The first one, because twice as large the list keeps no row above it that is half under the header.
  view('the menu of a server', menuOf('crashes')),
  view('the question before a server is removed', menuOf('noisy', 'Remove')),
  view('the commands', dialogOf('Control+k'), (page) => page.keyboard.type('st')),
  view('the commands without a match', dialogOf('Control+k'), (page) =>
    page.keyboard.type('nothing is called so'),
  ),
  view('the note of what was done', menuOf('idle', 'Remove'), (page) =>
    page.getByText('Removed idle from servers.json.').waitFor(),
  ),
  view('the question about a definition from outside', async (page, { home }) => {
    const file = join(home, 'servers.json');
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, object> };
    const outside = { command: 'npx', args: ['-y', 'x'], disabled: true };
    writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, outside } }));
    await button(page, 'Review…').click();
    await button(page, 'Agree to outside').waitFor();
  }),
  view('the question for values that an entry leaves open', async (page, panel) => {
    const env = { API_KEY: '<YOUR_API_KEY>' };
    await panel.call('putServer', { name: 'asks', command: 'npx', args: ['-y', 'x'], env });
    await go(page, '#/servers/asks');
    await button(page, 'Enter the values…').click();
    await field(page, 'API_KEY').waitFor();
  }),
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
