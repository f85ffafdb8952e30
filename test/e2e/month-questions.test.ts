import { beforeAll, beforeEach, expect, it } from 'vitest';
import { usePanels, type DrivenPanel } from './harness.ts';
import { takePicture } from './support/pictures.ts';
import { hashOf } from './support/driving.ts';
import { launchMonth } from './support/month.ts';
import { waitUntil } from './support/wait-until.ts';
import { go } from './support/views.ts';

/** Most clicks that a question of a month's use may cost, from the start screen. */
const MOST_CLICKS = 3;
const SERVERS = 9;

const panels = usePanels('all');
let panel: DrivenPanel;
let clicks = 0;

beforeAll(async () => {
  panel = await launchMonth(panels, SERVERS);
}, 180_000);
beforeEach(async () => {
  await panel.page.evaluate(`localStorage.removeItem('mcp-control-panel.time-shown')`);
  await go(panel.page, '#/servers');
  await row('browser').waitFor();
  clicks = 0;
});

const row = (name: string) => panel.page.locator(`[role="row"][data-server="${name}"]`);
const text = (words: string | RegExp) => panel.page.getByText(words).first();
async function click(name: string | RegExp, role: 'link' | 'button' | 'radio' = 'link'): Promise<void> {
  clicks += 1;
  expect(clicks, 'clicks').toBeLessThanOrEqual(MOST_CLICKS);
  if (role === 'radio') await panel.page.locator('label').filter({ hasText: name }).first().click();
  else
    await panel.page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
}
async function choose(span: string): Promise<void> {
  clicks += 1;
  expect(clicks, 'clicks').toBeLessThanOrEqual(MOST_CLICKS);
  await panel.page.getByLabel('Time shown', { exact: true }).selectOption({ label: span });
}
const calls = async (...more: readonly string[]) => {
  await click('Usage');
  await click(/^Calls$/, 'radio');
  for (const one of more) {
    if (one === '7 d') await choose(one);
    else await click(new RegExp(`^${one}$`), 'radio');
  }
  await panel.page.getByRole('table', { name: 'Calls' }).waitFor();
};
const firstRow = () => panel.page.getByRole('table', { name: 'Calls' }).locator('tbody tr').first();

it('what was wrong last night at 03:10', async () => {
  await click('Activity');
  await panel.page.getByLabel('Go to a time').fill('03:10');
  await panel.page.keyboard.press('Enter');
  await panel.page.getByRole('log').getByText('nightly-backup').first().waitFor();
  await text(/cannot rotate/).waitFor();
  expect(await hashOf(panel)).toMatch(/^#\/activity\?from=\d+&to=\d+&at=\d+$/);
  await takePicture(panel.page, 'question-night');
});

it('which server costs most memory this week', async () => {
  await click('Usage');
  await choose('7 d');
  const list = panel.page.getByRole('table', { name: 'Memory by server' });
  await list.getByRole('link').first().waitFor();
  expect(['atlassian', 'search']).toContain(await list.getByRole('link').first().textContent());
});

it('who uses a server', async () => {
  await calls('Each');
  await panel.page
    .getByRole('row')
    .filter({ hasText: 'web_search' })
    .filter({ hasText: 'Claude Desktop' })
    .waitFor();
});

it('whether one is leaking, and when its limit is reached', async () => {
  await row('atlassian')
    .getByText(/MiB a day/)
    .waitFor();
});

it('why one restarted fourteen times', async () => {
  await click('Why did browser restart?');
  await text(/browser_navigate/).waitFor();
});

it('which tools are slow, and how often one fails', async () => {
  await calls();
  await click('p95', 'button');
  await waitUntil('the slowest first', async () =>
    /query|rotate_backups/.test((await firstRow().textContent()) ?? ''),
  );
  await panel.page
    .getByRole('row')
    .filter({ hasText: 'query' })
    .getByText(/^2\d %$/)
    .waitFor();
  await takePicture(panel.page, 'question-slow');
});

it('what nobody uses, and what that costs', async () => {
  await calls();
  const unused = panel.page.getByRole('region', { name: 'Not used for 30 days' });
  await unused.getByRole('button', { name: 'Stop figma' }).waitFor();
  await unused.getByText(/MiB/).first().waitFor();
});

it('which client calls most', async () => {
  await calls('Client');
  expect(await firstRow().locator('th').textContent()).toMatch(/Claude Desktop|Cursor|Codex/);
});

it('whether it is worse than last week', async () => {
  await calls('7 d');
  await firstRow().getByText(/[▲▼=]/).waitFor();
});

it('what changed before it got worse', async () => {
  await click('Open atlassian');
  await choose('90 d');
  await panel.page.getByRole('log').getByText('server version changed').first().waitFor();
});

it('whether everything is all right now', async () => {
  await panel.page.getByRole('heading', { name: /fine/ }).waitFor();
});

it('what went wrong at a time of the day, by its cell', async () => {
  const bar = row('browser').getByLabel(/Last 24 hours: problems in/);
  const box = (await bar.boundingBox())!;
  clicks += 1;
  await panel.page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await panel.page.getByRole('heading', { name: 'browser', exact: true }).waitFor();
  expect(await hashOf(panel)).toMatch(/^#\/servers\/browser\?from=\d+&to=\d+$/);
});

it('when a server stopped last', async () => {
  await text(/the last stop was/).waitFor();
});

it('what a client does, and which tools it sees', async () => {
  await click('Clients');
  await click('Cursor');
  await text(/^\d+ calls, \d+ failed$/).waitFor();
  await panel.page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
});

it('when a restart harms least', async () => {
  await click('Open atlassian');
  await text(/nobody called then on \d+ of \d+ days/).waitFor();
});

it('an address opens the same picture in a window that was loaded anew', async () => {
  await click('Usage');
  await choose('7 d');
  await panel.page.reload();
  await panel.page.getByRole('table', { name: 'Memory by server' }).getByRole('link').first().waitFor();
  const chosen = panel.page.getByRole('combobox', { name: 'Time shown' });
  expect(await chosen.inputValue()).toBe(String(7 * 86_400_000));
});

it('one moment leads from its event to its log lines, the usage then and the charts, by the same menu', async () => {
  const { page } = panel;
  const choose = async (item: string) => {
    await page.getByRole('menu', { name: /^At 20/ }).waitFor();
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  await click('Activity');
  await page.getByLabel('Go to a time').fill('03:10');
  await page.keyboard.press('Enter');
  const event = page.getByRole('log').locator('[data-event]').filter({ hasText: 'nightly-backup' }).first();
  await event.waitFor();
  const moment = `at=${await event.getAttribute('data-moment')}`;
  // By the pointer, then by the keyboard on the cursor of the charts.
  await event.click({ button: 'right' });
  await choose('Here in Logs');
  await page.getByRole('heading', { name: 'Logs' }).waitFor();
  await waitUntil('the moment in the logs', async () => (await hashOf(panel)).endsWith(moment));
  expect(await hashOf(panel)).toMatch(/^#\/logs\?server=nightly-backup&from=\d+&to=\d+&at=\d+$/);
  await page.getByRole('group', { name: 'Lines shown' }).waitFor();
  await page.getByRole('button', { name: new RegExp(`^03:1.*: 20`) }).click();
  await choose('Here in Usage');
  await page.getByRole('slider', { name: 'Time cursor of all servers' }).waitFor();
  expect(await hashOf(panel)).toMatch(new RegExp(`^#/usage\\?from=\\d+&to=\\d+&${moment}$`));
  await go(page, '#/servers/nightly-backup');
  const cursor = page.getByRole('slider', { name: 'Time cursor of nightly-backup' });
  await cursor.focus();
  await page.keyboard.press('Shift+F10');
  await choose('Here in Charts');
  await waitUntil('the moment in the charts', async () => (await hashOf(panel)).endsWith(moment));
  expect(await hashOf(panel)).toMatch(/^#\/servers\/nightly-backup\?from=\d+&to=\d+&at=\d+$/);
  await takePicture(page, 'moment-charts');
});

it('a week is compared with the one before it, in the charts of all servers and of one', async () => {
  const { page } = panel;
  await click('Usage');
  await choose('7 d');
  await page.getByLabel('Compare with').selectOption({ label: 'Compare: last week' });
  await page.locator('[data-charts="usage"] [data-curve="compared"]').first().waitFor();
  await page
    .getByText(/^average .*[▲▼=]/)
    .first()
    .waitFor();
  await takePicture(page, 'compare-usage');
  await go(page, '#/servers/browser');
  await page.locator('[aria-label^="Memory over"] [data-curve="compared"]').waitFor();
  expect(await hashOf(panel)).toMatch(/\?last=7d&(?:at=\d+&)?compare=week$/);
  await takePicture(page, 'compare-server');
});
