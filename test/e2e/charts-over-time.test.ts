import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { makeUpPast } from './support/made-up-past.ts';
import { takePicture } from './support/pictures.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
const HOUR_MS = 3_600_000;

/** A running server's page, with a past that was made up. */
async function openCharts(): Promise<DrivenPanel> {
  const panel = await panels.launch({ servers: { github: fixtureServer() } });
  const { page } = panel;
  await makeUpPast(panel);
  const row = page.getByRole('row', { name: 'github', exact: true });
  await row.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open github', exact: true }).click();
  await page.getByRole('slider', { name: 'Time cursor of github' }).waitFor();
  return panel;
}

/** Answers the next dialogs for saving with paths in the folder, and tells what they suggested. */
async function saveInto({ app }: DrivenPanel, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, into) => {
    const answer = (...args: unknown[]) => {
      const { defaultPath = '' } = args.at(-1) as { defaultPath?: string };
      const name = defaultPath.split(/[\\/]/).at(-1) ?? '';
      return Promise.resolve({ canceled: false, filePath: `${into}/${name}` });
    };
    dialog.showSaveDialog = answer as typeof dialog.showSaveDialog;
  }, folder);
}

/** Instants at the edges of the charts. */
const shownSpan = async ({ page }: DrivenPanel) => {
  const slider = page.getByRole('slider', { name: 'Time cursor of github' });
  const at = async (edge: string) => Number(await slider.getAttribute(`aria-value${edge}`));
  return { from: await at('min'), to: await at('max') };
};

describe('the charts of a server over time', () => {
  it('show any span, by choice and by dragging, as curves, as a table and as files', async () => {
    const panel = await openCharts();
    const { page } = panel;
    const folder = mkdtempSync(join(tmpdir(), 'charts-'));
    await saveInto(panel, folder);

    for (const [label, spanMs] of [
      ['1 h', HOUR_MS],
      ['24 h', 24 * HOUR_MS],
      ['7 d', 7 * 24 * HOUR_MS],
      ['90 d', 90 * 24 * HOUR_MS],
    ] as const) {
      await page.getByText(label, { exact: true }).click();
      await waitUntil(`${label} to be shown`, async () => {
        const { from, to } = await shownSpan(panel);
        return to - from === spanMs;
      });
      await page.getByText(/ per point$/).waitFor();
      await page.emulateMedia({ colorScheme: 'light' });
      await takePicture(page, `charts-${label.replace(' ', '')}-light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await takePicture(page, `charts-${label.replace(' ', '')}-dark`);
    }

    await page.getByText('24 h', { exact: true }).click();
    const plots = page.locator('[data-charts="Time cursor of github"]');
    const box = (await plots.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.3, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Back to 24 h' }).waitFor();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 90);
    const { from, to } = await shownSpan(panel);
    expect(to - from).toBeGreaterThan(5 * HOUR_MS);
    expect(to - from).toBeLessThan(10 * HOUR_MS);
    await takePicture(page, 'charts-zoomed');

    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('dialog').getByRole('table');
    await table.getByRole('columnheader', { name: /^Memory/ }).waitFor();
    expect(await table.getByRole('row').count()).toBeGreaterThan(50);
    expect(await table.getByRole('row').nth(1).innerText()).toMatch(/\d+ MiB/);
    expect(await findViolations(panel)).toEqual([]);
    await takePicture(page, 'charts-table');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Save figures as CSV…' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const csvPath = await page.getByText('Saved', { exact: true }).getAttribute('data-tip');
    const lines = readFileSync(csvPath!, 'utf8').split('\r\n');
    expect(lines[0]).toMatch(
      /^time,Memory average \(bytes\),Memory min \(bytes\),Memory max \(bytes\),CPU average/,
    );
    const [time = ''] = lines[1]!.split(',');
    expect(Date.parse(time)).toBeGreaterThanOrEqual(from - 10 * 60_000);

    await page.getByRole('button', { name: 'Save picture as PNG…' }).click();
    await waitUntil('the picture to be saved', async () =>
      ((await page.getByText('Saved', { exact: true }).getAttribute('data-tip')) ?? '').endsWith('.png'),
    );
    const pngPath = await page.getByText('Saved', { exact: true }).getAttribute('data-tip');
    const png = readFileSync(pngPath!);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
    rmSync(folder, { recursive: true });

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Back to 24 h' }).waitFor({ state: 'detached' });
    expect(await findViolations(panel)).toEqual([]);
  });
});
