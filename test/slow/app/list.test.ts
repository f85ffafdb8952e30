import { expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { findViolations } from '../../e2e/support/axe.ts';
import { running } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

const panels = usePanels();
const rowOf = ({ page }: DrivenPanel, name: string) => page.locator(`[role="row"][data-server="${name}"]`);
const namesIn = async ({ page }: DrivenPanel) =>
  Promise.all(
    (await page.locator('[role="row"][data-server]').all()).map((row) => row.getAttribute('aria-label')),
  );
const selected = ({ page }: DrivenPanel) => page.locator('[role="row"][aria-selected="true"]').count();

it('selects rows by pointer and keys, and stops all of them with one command', async () => {
  const names = ['alpha', 'beta', 'delta', 'gamma'];
  const panel = await panels.launch({
    servers: Object.fromEntries(names.map((name) => [name, fixtureServer()])),
  });
  const { page } = panel;
  await running(panel, ...names);

  const place = { position: { x: 300, y: 8 } };
  await rowOf(panel, 'alpha').click({ ...place, modifiers: ['Control'] });
  await rowOf(panel, 'delta').click({ ...place, modifiers: ['Shift'] });
  await page.getByText('3 selected', { exact: true }).waitFor();
  await rowOf(panel, 'beta').hover();
  await page.getByLabel('Select beta', { exact: true }).click();
  await page.getByText('2 selected', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  expect(await selected(panel)).toBe(0);
  expect(page.url()).toMatch(/#\/servers$|\/$|html$/);

  await page.getByRole('link', { name: 'Open alpha' }).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 selected', { exact: true }).waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByText('2 selected', { exact: true }).waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('4 selected', { exact: true }).waitFor();
  await page.keyboard.press('Space');
  await page.getByText('3 selected', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Stop 3 selected' }).click();
  await waitUntil('three stopped', async () => {
    const { servers } = await panel.snapshot();
    return servers.filter(({ state }) => state.kind === 'stopped').length === 3;
  });
});

it('draws the rows of a long list near what is in view, and moves through all of them by keys', async () => {
  const names = Array.from({ length: 45 }, (_, index) => `server-${String(index).padStart(2, '0')}`);
  const panel = await panels.launch({
    servers: Object.fromEntries(names.map((name) => [name, { ...fixtureServer(), disabled: true }])),
  });
  const { page } = panel;
  const startOf = (name: string) =>
    rowOf(panel, name).getByRole('button', { name: `Start ${name}`, exact: true });
  const rows = page.locator('[role="row"][data-server]');
  await waitUntil('a row for each', async () => (await rows.count()) === names.length);
  expect(await namesIn(panel)).toEqual(names);
  await startOf('server-00').waitFor();
  expect(await startOf('server-44').count()).toBe(0);
  expect(await findViolations(panel)).toEqual([]);

  await rowOf(panel, 'server-44').scrollIntoViewIfNeeded();
  await startOf('server-44').waitFor();
  await startOf('server-20').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Open server-00' }).focus();
  for (let row = 1; row < names.length; row += 1) await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
  expect(await focused()).toBe('Open server-44');
  await startOf('server-44').waitFor();
  expect(await focused()).toBe('Open server-44');

  const search = page.getByLabel('Search servers');
  await search.fill('server-3');
  await waitUntil('the rows that match', async () => (await rows.count()) === 10);
  await search.fill('');
  await waitUntil('all rows again', async () => (await rows.count()) === names.length);
  expect(await namesIn(panel)).toEqual(names);
});
