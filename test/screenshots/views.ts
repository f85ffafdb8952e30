import type { Page } from 'playwright-core';
import { dialogOf, go, to } from '../e2e/support/views.ts';
import { SHOWN_SERVER } from './picture-servers.ts';

const SERVER_PAGE = `#/servers/${SHOWN_SERVER}`;
const SERVER_TABS = ['calls', 'processes', 'sessions', 'logs', 'configuration'];
/** Server that crashes now and then, so that there is something to tell. */
const RESTARTED_SERVER = 'browser';

/** Views of the window by their name, each with the way to it from the overview. */
type PictureViews = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

/** Views, tabs and dialogs that a person can come to without a server. */
export const plainViews: PictureViews = {
  overview: to('#/servers'),
  activity: to('#/activity'),
  clients: to('#/clients'),
  settings: to('#/settings/server-defaults'),
  diagnostics: async (page) => {
    await go(page, '#/settings/diagnostics');
    await page.getByRole('button', { name: 'Copy or save diagnostics…' }).click();
    await page.getByRole('dialog').waitFor();
  },
  add: dialogOf('Control+n'),
  import: dialogOf('Control+i'),
  commands: dialogOf('Control+k'),
};

/** Those that need a server. */
export const viewsOfServers: PictureViews = {
  'server-overview': to(SERVER_PAGE),
  ...Object.fromEntries(SERVER_TABS.map((tab) => [`server-${tab}`, to(`${SERVER_PAGE}/${tab}`)])),
  'server-restarts': async (page) => {
    const row = page.getByRole('row', { name: RESTARTED_SERVER, exact: true });
    const server = (await row.count()) > 0 ? RESTARTED_SERVER : SHOWN_SERVER;
    await go(page, `#/servers/${server}/restarts`);
  },
  'server-tools': async (page) => {
    await go(page, `${SERVER_PAGE}/tools`);
    await page.getByRole('button', { name: 'echo', exact: true }).click();
    await page.getByLabel('text', { exact: true }).fill('All is well.');
    await page.getByRole('button', { name: 'Call echo', exact: true }).click();
    await page.getByRole('region', { name: 'Result of echo' }).waitFor();
  },
  logs: to('#/logs'),
  usage: to('#/usage?last=7d'),
  'usage-calls': async (page) => {
    await go(page, '#/usage?last=7d');
    await page
      .locator('label')
      .filter({ hasText: /^Calls$/ })
      .click();
    await page.getByRole('table', { name: 'Calls' }).waitFor();
  },
  compare: to('#/compare/search,browser,memory'),
  client: async (page) => {
    await go(page, '#/clients');
    const client = page.getByRole('table', { name: 'Clients' }).locator('tbody a[href^="#/clients/"]');
    if ((await client.count()) === 0) return;
    await client.first().click();
    await page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
  },
  edit: async (page) => {
    await go(page, SERVER_PAGE);
    await page.getByLabel(`Memory of ${SHOWN_SERVER}`).waitFor();
    await dialogOf('Control+e')(page);
  },
  event: async (page) => {
    await go(page, '#/activity');
    const explained = page.locator('[role="log"] button[aria-expanded]');
    // Quiet days have nothing to open.
    if ((await explained.count()) > 0) await explained.last().click();
  },
};

/** Returns to the overview with nothing open on it. */
export async function leaveView(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await go(page, '#/servers');
}
