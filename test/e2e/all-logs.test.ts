import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { callTool, hashOf, running } from './support/driving.ts';
import { go } from './support/views.ts';

const panels = usePanels('all');
let panel: DrivenPanel;

beforeAll(async () => {
  panel = await panels.launch({
    servers: {
      one: fixtureServer('--stderr-text=\u001b[31m[error] disk is full\u001b[0m'),
      two: fixtureServer('--stderr-text=ready to serve'),
      three: fixtureServer('--logging'),
    },
  });
  await running(panel, 'one', 'two', 'three');
  await callTool(panel, 'two', 'echo', { args: { text: 'a word' } });
  await callTool(panel, 'three', 'echo', { args: { text: 'another' } });
}, 120_000);

const logs = () => panel.page.getByRole('log', { name: 'Logs' });
const lines = (text: string | RegExp) => logs().locator('li').filter({ hasText: text });

describe('the logs of all servers', () => {
  it('are led to by a shortcut, and hold what each server said and was asked', async () => {
    const { page } = panel;
    await page.keyboard.press('Control+5');
    await lines('disk is full').first().waitFor();
    await lines('ready to serve').first().waitFor();
    await lines(/→ tools\/call echo/)
      .first()
      .waitFor();
    expect(await lines('disk is full').first().innerText()).toMatch(/one\s+stderr/);
    expect(await findViolations(panel)).toEqual([]);
  });

  it('open a message to what it said, and lead to its answer', async () => {
    const { page } = panel;
    await go(page, '#/logs?server=two&source=traffic');
    await lines('ready to serve').first().waitFor({ state: 'detached' });
    const request = lines(/→ tools\/call echo/).first();
    await request.getByRole('button', { name: 'What the message said' }).click();
    await request.getByRole('tree', { name: 'Message' }).getByText('"a word"').waitFor();
    expect(await findViolations(panel)).toEqual([]);
    await request.getByRole('button', { name: 'Show its answer' }).click();
    await page.getByText(/^1 line selected/).waitFor();
    expect(await logs().locator('[data-selected]').innerText()).toContain('← result of tools/call');
  });

  it('are filtered by severity and by server, which the address keeps', async () => {
    const { page } = panel;
    await go(page, '#/logs');
    await page.getByLabel('Level', { exact: true }).selectOption('error');
    await lines('disk is full').first().waitFor();
    await lines('ready to serve').first().waitFor({ state: 'detached' });
    expect(await hashOf(panel)).toBe('#/logs?level=error');
    await page.getByRole('button', { name: 'Show every line' }).first().click();
    await lines('ready to serve').first().waitFor();
  });

  it('are searched with the keyboard alone, and a line leads to the charts of its moment', async () => {
    const { page } = panel;
    await go(page, '#/logs');
    await lines('disk is full').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('DISK IS');
    await page.getByText('1 of 1 line', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await logs().focus();
    await page.keyboard.press('n');
    await logs().locator('[data-current]').locator('[data-does="select"]').click();
    await page.getByRole('button', { name: /^This moment in/ }).click();
    await page.getByRole('menuitem', { name: 'Here in Charts' }).click();
    await page.getByRole('heading', { name: 'one' }).first().waitFor();
  });
});
