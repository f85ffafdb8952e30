import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { openSection } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

const panels = usePanels();

/** Opens the logs of a running server, and returns their list. */
async function openLogs(panel: DrivenPanel, server: string): Promise<Locator> {
  await openSection(panel, server, 'Logs');
  return panel.page.getByRole('log', { name: 'Logs' });
}

describe('a search in the logs', () => {
  it('gives back the place that was being read, and the end to who was there', async () => {
    const panel = await panels.launch({
      servers: { one: fixtureServer('--stderr-text=needle', '--stderr-every-ms=10') },
    });
    const logs = await openLogs(panel, 'one');
    const { page } = panel;
    // A number and not one line, because a line that has gone by is no longer in the page.
    await logs
      .getByText(/^chatter (?:[2-9]\d\d|\d{4,})$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Stop one', exact: true }).click();
    await page
      .getByRole('button', { name: 'Start one', exact: true })
      .and(page.locator(':enabled'))
      .waitFor();
    await page.getByRole('button', { name: 'Show only matching lines' }).click();
    // The last lines of a stopped server may come during the search, and are counted then as not yet seen.
    const newest = page.getByRole('button', { name: /^(?:Newest|\d+ new lines?)$/ });
    const isThere = logs.getByText(/^chatter \d+$/).first();
    const searchAndEscape = async () => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('needle');
      await isThere.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await isThere.waitFor();
    };

    // Place of a line from the upper edge of the log.
    const placeOf = async (line: Locator) =>
      ((await line.boundingBox())?.y ?? NaN) - (await logs.boundingBox())!.y;
    const last = logs.getByText(/^chatter \d+$/).last();
    const isAtEnd = async () => (await placeOf(last)) < (await logs.boundingBox())!.height;

    await logs.press('End');
    await waitUntil('the end of the log', isAtEnd);
    await logs.hover();
    await searchAndEscape();
    await waitUntil('the end of the log', isAtEnd);
    await newest.waitFor({ state: 'detached' });

    const read = logs.getByText('chatter 100', { exact: true });
    await logs.press('Home');
    await waitUntil('the line in the page', async () => {
      await page.evaluate(`document.querySelector('[role="log"]').scrollBy(0, 200)`);
      return (await read.count()) > 0;
    });
    await logs.hover();
    await newest.waitFor();
    const before = await placeOf(read);
    await searchAndEscape();
    await waitUntil('the same line in its place', async () => Math.abs((await placeOf(read)) - before) < 2);
    await newest.waitFor();
  });
});

/** A log longer than what the page begins with, to which a server adds five lines a second. */
async function launchFull(): Promise<{ panel: DrivenPanel; logs: Locator }> {
  const signal = join(panels.tempFolder('logs-'), 'full');
  const one = fixtureServer(`--stderr-fill-until=${signal}`, '--stderr-every-ms=200');
  const panel = await panels.launch({ servers: { one } });
  const logs = await openLogs(panel, 'one');
  writeFileSync(signal, '');
  // The server tells how many lines it wrote in bulk; the slow ones come after them.
  await waitUntil('a slow line', async () => {
    const inBulk = Number(readFileSync(signal, 'utf8'));
    return inBulk > 0 && (await lastNumber(panel.page)) > inBulk;
  });
  return { panel, logs };
}

const lastNumber = (page: Page) =>
  page.evaluate<number>(
    `Number(([...document.querySelectorAll('[data-text]')].at(-1)?.textContent ?? 'none yet').replace('chatter ', ''))`,
  );

describe('a full log that grows', () => {
  it('touches at most three nodes for each new line, and keeps few of its rows in the page', async () => {
    const { panel, logs } = await launchFull();
    const { page } = panel;
    expect(await logs.getByRole('listitem').count()).toBeLessThan(120);
    const first = await lastNumber(page);
    await page.evaluate(`{
      globalThis.touched = 0;
      new MutationObserver((records) => {
        for (const { addedNodes, removedNodes } of records)
          globalThis.touched += Math.max(1, addedNodes.length + removedNodes.length);
      }).observe(document.querySelector('section[aria-label="Logs of one"]'), {
        subtree: true, childList: true, attributes: true, characterData: true,
      });
    }`);
    await waitUntil('forty new lines', async () => (await lastNumber(page)) >= first + 40);
    const added = (await lastNumber(page)) - first;
    const touched = await page.evaluate<number>('globalThis.touched');
    expect(touched).toBeGreaterThanOrEqual(added);
    expect(touched).toBeLessThanOrEqual(3 * added);
  });

  it('keeps the text that is selected, and copies what lies between its ends', async () => {
    const { panel, logs } = await launchFull();
    const { page } = panel;
    const text = logs.locator('[data-text]').nth(-6);
    const words = await text.innerText();
    await page.evaluate(
      `document.getSelection().selectAllChildren([...document.querySelectorAll('[data-text]')].find((one) => one.textContent === ${JSON.stringify(words)}))`,
    );
    const selected = () => page.evaluate<string>('String(document.getSelection())');
    expect(await selected()).toBe(words);
    const before = await lastNumber(page);
    await page.getByRole('button', { name: /^2\d new lines$/ }).waitFor();
    expect(await selected()).toBe(words);
    expect(await lastNumber(page)).toBeGreaterThan(before);

    // Scrolled far away, the row of the selection stays in the page.
    await page.evaluate(`document.querySelector('[role="log"]').scrollTo(0, 0)`);
    const number = Number(words.replace('chatter ', ''));
    const numberOfRow = async (index: number) =>
      Number((await logs.locator('[data-text]').nth(index).innerText()).replace('chatter ', ''));
    await waitUntil('rows of the start', async () => (await numberOfRow(5)) < number - 1000);
    expect(await selected()).toBe(words);
    await page.evaluate(`{
      const rows = [...document.querySelectorAll('[data-text]')];
      const last = rows.find((row) => row.textContent === ${JSON.stringify(words)});
      document.getSelection().setBaseAndExtent(rows[5].firstChild, 0, last.firstChild, 7);
    }`);
    const start = await numberOfRow(5);
    const copied = await page.evaluate<string>(`{
      const data = new DataTransfer();
      document.querySelector('[role="log"]').dispatchEvent(
        new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }),
      );
      data.getData('text/plain');
    }`);
    const lines = copied.split('\n');
    expect(lines[0]).toBe(`chatter ${start}`);
    expect(lines.at(-1)).toBe('chatter');
    expect(lines.length).toBeGreaterThan(1000);
    expect(number).toBeGreaterThan(start);
  });
});
