import type { Page } from 'playwright-core';
import { SHOWN_SERVER } from './picture-servers.ts';

const SERVER_PAGE = `#/servers/${SHOWN_SERVER}`;
const SERVER_TABS = ['overview', 'calls', 'processes', 'sessions', 'logs', 'configuration'];
/** Server that crashes now and then, so that there is something to tell. */
const RESTARTED_SERVER = 'browser';

/** View of the window, and the way to it from the overview. */
export interface PictureView {
  readonly name: string;
  /** Whether the view needs a server. */
  readonly needsServer?: boolean;
  open(page: Page): Promise<void>;
}

const atAddress = (name: string, hash: string): PictureView => ({
  name,
  open: (page) => goTo(page, hash),
});

const byShortcut = (name: string, shortcut: string): PictureView => ({
  name,
  open: async (page) => {
    await page.keyboard.press(shortcut);
    await page.getByRole('dialog').waitFor();
  },
});

/** Views, tabs and dialogs that a person can come to. */
export const pictureViews: readonly PictureView[] = [
  atAddress('overview', '#/servers'),
  ...SERVER_TABS.map((tab) => ({
    ...atAddress(`server-${tab}`, tab === 'overview' ? SERVER_PAGE : `${SERVER_PAGE}/${tab}`),
    needsServer: true,
  })),
  {
    name: 'server-restarts',
    needsServer: true,
    open: async (page) => {
      const row = page.getByRole('row', { name: RESTARTED_SERVER, exact: true });
      const server = (await row.count()) > 0 ? RESTARTED_SERVER : SHOWN_SERVER;
      await goTo(page, `#/servers/${server}/restarts`);
    },
  },
  {
    name: 'server-tools',
    needsServer: true,
    open: async (page) => {
      await goTo(page, `${SERVER_PAGE}/tools`);
      await page.getByRole('button', { name: 'echo', exact: true }).click();
      await page.getByLabel('text', { exact: true }).fill('All is well.');
      await page.getByRole('button', { name: 'Call echo', exact: true }).click();
      await page.getByRole('region', { name: 'Result of echo' }).waitFor();
    },
  },
  { ...atAddress('logs', '#/logs'), needsServer: true },
  { ...atAddress('usage', '#/usage?last=7d'), needsServer: true },
  {
    name: 'usage-calls',
    needsServer: true,
    open: async (page) => {
      await goTo(page, '#/usage?last=7d');
      await page
        .locator('label')
        .filter({ hasText: /^Calls$/ })
        .click();
      await page.getByRole('table', { name: 'Calls' }).waitFor();
    },
  },
  { ...atAddress('compare', '#/compare/search,browser,memory'), needsServer: true },
  atAddress('activity', '#/activity'),
  atAddress('clients', '#/clients'),
  {
    name: 'client',
    needsServer: true,
    open: async (page) => {
      await goTo(page, '#/clients');
      const client = page.getByRole('table', { name: 'Clients' }).locator('tbody a[href^="#/clients/"]');
      if ((await client.count()) === 0) return;
      await client.first().click();
      await page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
    },
  },
  atAddress('settings', '#/settings/server-defaults'),
  {
    name: 'diagnostics',
    open: async (page) => {
      await goTo(page, '#/settings/diagnostics');
      await page.getByRole('button', { name: 'Copy or save diagnostics…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  byShortcut('add', 'Control+n'),
  byShortcut('import', 'Control+i'),
  byShortcut('commands', 'Control+k'),
  {
    name: 'edit',
    needsServer: true,
    open: async (page) => {
      await goTo(page, SERVER_PAGE);
      await page.getByLabel(`Memory of ${SHOWN_SERVER}`).waitFor();
      await page.keyboard.press('Control+e');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'event',
    needsServer: true,
    open: async (page) => {
      await goTo(page, '#/activity');
      const explained = page.locator('[role="log"] button[aria-expanded]');
      // Quiet days have nothing to open.
      if ((await explained.count()) > 0) await explained.last().click();
    },
  },
];

/** Returns to the overview with nothing open on it. */
export async function leaveView(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await goTo(page, '#/servers');
}

function goTo(page: Page, hash: string): Promise<void> {
  return page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
}
