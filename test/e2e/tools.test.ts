import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { usePanels, type DrivenPanel } from './harness.ts';
import { resize, stateIs } from './support/driving.ts';
import { go } from './support/views.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
let panel: DrivenPanel;

/** Server whose tools have what a form can have; it answers with the arguments and how often it was called. */
const SERVER = `
const fields = Object.fromEntries(Array.from({ length: 40 }, (_, n) => ['field_' + n, { type: 'string' }]));
const tools = [
  { name: 'tall', description: 'Has **forty** fields, see [the page](https://example.com/a).\\n\\n- one\\n- two', inputSchema: { type: 'object', properties: fields } },
  { name: 'delete_repo', annotations: { destructiveHint: true, openWorldHint: true }, inputSchema: { type: 'object', properties: { name: { type: 'string', minLength: 3, pattern: '^[a-z]+$' } }, required: ['name'] } },
  { name: 'target', inputSchema: { type: 'object', properties: { to: { oneOf: [
    { title: 'By address', type: 'object', properties: { uri: { type: 'string', format: 'uri' } }, required: ['uri'] },
    { title: 'By number', type: 'integer' } ] } }, required: ['to'] } },
];
let count = 0;
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({ content: [{ type: 'text', text: JSON.stringify({ count: ++count, name, given, list: Array.from({ length: 300 }, (_, n) => ({ n, word: 'word ' + n })) }) }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method]) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params ?? {}) }) + '\\n');
});
`;

beforeAll(async () => {
  panel = await panels.launch();
  const file = join(panel.home, 'tools-server.cjs');
  writeFileSync(file, SERVER);
  const servers = { mcpServers: { tools: { command: process.execPath, args: [file] } } };
  writeFileSync(join(panel.home, 'servers.json'), JSON.stringify(servers));
  await stateIs(panel, 'tools', 'running');
}, 60_000);

async function openTool(name: string, size = { width: 1280, height: 800 }): Promise<Page> {
  const { page } = panel;
  await resize(panel, size.width, size.height);
  await go(page, '#/servers/tools/tools');
  await page.getByRole('navigation', { name: 'Offer' }).getByRole('button', { name, exact: true }).click();
  await page.getByRole('form', { name: `Arguments of ${name}` }).waitFor();
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Whether all of an element lies within the window. */
async function isInView(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const [width, height] = await page.evaluate<[number, number]>('[innerWidth, innerHeight]');
  return (
    box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
  );
}

describe('the answer of a call', () => {
  it.each([
    { width: 1280, height: 800 },
    { width: 900, height: 600 },
  ])('is in view, and so is the call, for a form of forty fields at $width × $height', async (size) => {
    const page = await openTool('tall', size);
    const last = page.getByLabel('field_39', { exact: true });
    await last.fill('x');
    const call = button(page, 'Call tall');
    expect(await isInView(page, call)).toBe(true);
    await call.click();
    const result = page.getByRole('region', { name: 'Result of tall' });
    await result.getByRole('heading', { name: /^Result/ }).waitFor();
    expect(await isInView(page, result.getByRole('heading', { name: /^Result/ }))).toBe(true);
    expect(await isInView(page, result.getByRole('treeitem').nth(2))).toBe(true);
    expect(await isInView(page, page.getByRole('status').getByText(/^Answered \d/))).toBe(true);
    // The form stays where it was read.
    expect(await isInView(page, last)).toBe(true);
  });

  it('is repeated from the history, compared with another, and looked at again', async () => {
    const page = await openTool('tall');
    const history = page.getByRole('region', { name: 'History of tall' });
    const before = await history.getByRole('listitem').count();
    await button(page, 'Call tall').click();
    await waitUntil(
      'one more call',
      async () => (await history.getByRole('listitem').count()) === before + 1,
    );
    await page.getByLabel('field_39', { exact: true }).fill('changed');
    await history
      .getByRole('button', { name: /^Call again/ })
      .last()
      .click();
    await waitUntil(
      'the call again',
      async () => (await history.getByRole('listitem').count()) === before + 2,
    );
    expect(await page.getByLabel('field_39', { exact: true }).inputValue()).toBe('x');

    const boxes = history.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await button(page, 'Compare').click();
    const lines = page.getByRole('dialog').getByRole('group', { name: 'Difference' });
    expect((await lines.innerText()).match(/^[−+]/gm)?.length).toBe(2);
    await page.keyboard.press('Escape');
    await history
      .getByRole('button', { name: /^Show the call/ })
      .last()
      .click();
    expect(await history.locator('[aria-current]').count()).toBe(1);
  });

  it('is searched, folded and walked through by the keyboard', async () => {
    const page = await openTool('tall');
    await page.keyboard.press('Control+Enter');
    const tree = page.getByRole('region', { name: 'Result of tall' }).getByRole('tree');
    await tree.waitFor();
    const search = page.getByLabel('Search in Text', { exact: true });
    await search.fill('word 250');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    const active = async () => {
      const id = await tree.getAttribute('aria-activedescendant');
      return page.locator(`[id="${id ?? ''}"]`).innerText();
    };
    await expect.poll(active).toContain('word 250');
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(100);
    await tree.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(active).toMatch(/^250:/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(active).toContain('250: {…}');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1);
  });
});

describe('the panes of the tools', () => {
  it('are sized by the arrow keys and the pointer, and stay so', async () => {
    const page = await openTool('tall');
    const list = page.getByRole('navigation', { name: 'Offer' });
    const width = async () => (await list.boundingBox())?.width ?? 0;
    const separator = page.getByRole('separator', { name: 'Width of the list' });
    const first = await width();
    await separator.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBeGreaterThan(first + 20);
    const form = page.getByRole('separator', { name: 'Width of the form' });
    const box = (await form.boundingBox())!;
    await page.mouse.move(box.x, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x - 80, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await form.boundingBox())!.x - box.x)).toBeLessThan(-70);
    const moved = await width();
    await page.reload();
    await list.waitFor();
    expect(await width()).toBe(moved);
  });
});

describe('a tool that may destroy', () => {
  it('is asked about before it is called, until it is trusted', async () => {
    const page = await openTool('delete_repo');
    await page.getByLabel('name', { exact: true }).fill('abc');
    const call = button(page, 'Call delete_repo');
    await call.click();
    const question = page.getByRole('dialog', { name: 'Call delete_repo?' });
    await question.getByText('delete_repo may change or delete data. Call it?').waitFor();
    await question.getByRole('button', { name: 'Do not call' }).click();
    expect(await page.getByRole('region', { name: 'History of delete_repo' }).count()).toBe(0);
    await call.click();
    await question.getByRole('checkbox').check();
    await question.getByRole('button', { name: 'Call it' }).click();
    await page.getByText(/^Answered/).waitFor();
    await page.keyboard.press('Control+Enter');
    const calls = page.getByRole('region', { name: 'History of delete_repo' }).getByRole('listitem');
    await expect.poll(() => calls.count()).toBe(2);
  });

  it('is not called with arguments that its schema refuses, unless that is wanted', async () => {
    const page = await openTool('delete_repo');
    const field = page.getByLabel('name', { exact: true });
    await field.fill('A');
    await button(page, 'Call delete_repo').click();
    await page.getByText('name must have at least 3 characters').waitFor();
    await page.getByText('name must match ^[a-z]+$').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe(await field.getAttribute('id'));
    await button(page, 'Call anyway').click();
    await page.getByRole('region', { name: 'Result of delete_repo' }).getByText('"A"').waitFor();
  });
});

describe('an argument of several forms', () => {
  it('has the fields of the chosen one', async () => {
    const page = await openTool('target');
    await page.getByLabel('uri', { exact: true }).fill('nowhere');
    await button(page, 'Call target').click();
    await page.getByText('uri must be an address, such as https://example.com/page').waitFor();
    await page.getByLabel('Form of to').selectOption('By number');
    await page.getByLabel('By number', { exact: true }).fill('7');
    await button(page, 'Call target').click();
    await page
      .getByRole('region', { name: 'Result of target' })
      .getByText(/to: ?7/)
      .waitFor();
  });
});

it('shows a description as markdown, whose links are copied and never opened', async () => {
  const page = await openTool('tall');
  const form = page.getByRole('form', { name: 'Arguments of tall' });
  await form.locator('strong', { hasText: 'forty' }).waitFor();
  expect(await form.locator('a').count()).toBe(0);
  expect(await form.getByRole('button', { name: 'the page' }).getAttribute('data-tip')).toBe(
    'Copy https://example.com/a',
  );
});
