import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { makeUpPast } from './support/made-up-past.ts';
import { takePicture } from './support/pictures.ts';
import { waitUntil } from './support/wait-until.ts';
import { saveInto } from './support/save-into.ts';
import { HOUR_MS } from '../../shared/units.ts';

const panels = usePanels('all');

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

/** Instants at the edges of the charts. */
const shownSpan = async ({ page }: DrivenPanel) => {
  const slider = page.getByRole('slider', { name: 'Time cursor of github' });
  const at = async (edge: string) => Number(await slider.getAttribute(`aria-value${edge}`));
  return { from: await at('min'), to: await at('max') };
};

describe('the charts of a server over time', () => {
  let panel: DrivenPanel;
  let folder: string;
  beforeAll(async () => {
    panel = await openCharts();
    folder = mkdtempSync(join(tmpdir(), 'charts-'));
    await saveInto(panel, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const button = (name: string) => panel.page.getByRole('button', { name });
  /** Path of the file that was saved last, once it has that ending. */
  const savedPath = async (ending: string): Promise<string> => {
    const note = panel.page.getByText('Saved', { exact: true });
    await waitUntil(`a file ${ending} to be saved`, async () =>
      Boolean((await note.getAttribute('data-tip'))?.endsWith(ending)),
    );
    return (await note.getAttribute('data-tip'))!;
  };

  it('show the last hour, day, week and quarter', async () => {
    const { page } = panel;
    const spans = { '1 h': HOUR_MS, '24 h': 24 * HOUR_MS, '7 d': 168 * HOUR_MS, '90 d': 2160 * HOUR_MS };
    for (const [label, spanMs] of Object.entries(spans)) {
      await page.getByRole('combobox', { name: 'Time shown' }).selectOption({ label });
      await waitUntil(`${label} to be shown`, async () => {
        const { from, to } = await shownSpan(panel);
        return to - from === spanMs;
      });
      await page.getByText(/ per point$/).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `charts-${label.replace(' ', '')}-${colorScheme}`);
      }
    }
  });

  it('show the time that is dragged over', async () => {
    const { page } = panel;
    const box = (await page.locator('[data-charts="Time cursor of github"]').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2 + 10, { steps: 5 });
    await page.mouse.up();
    await button('Back to 24 h').waitFor();
    const { from, to } = await shownSpan(panel);
    expect(to - from).toBeGreaterThan(5 * HOUR_MS);
    expect(to - from).toBeLessThan(10 * HOUR_MS);
    await takePicture(page, 'charts-zoomed');
    expect(await findViolations(panel)).toEqual([]);
  });

  it('are saved as figures and as a picture, of the time that is shown', async () => {
    const { from } = await shownSpan(panel);
    await button('Save figures as CSV…').click();
    const lines = readFileSync(await savedPath('.csv'), 'utf8').split('\r\n');
    expect(lines[0]).toMatch(
      /^time,Memory average \(bytes\),Memory min \(bytes\),Memory max \(bytes\),CPU ave/,
    );
    const [time = ''] = lines[1]!.split(',');
    expect(Math.abs(Date.parse(time) - from)).toBeLessThanOrEqual(600_000);
    await button('Save picture as PNG…').click();
    const png = readFileSync(await savedPath('.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
  });

  it('are copied as a picture', async () => {
    await button('Copy picture').click();
    await button('Copied').waitFor();
    // The types know the clipboard of the present Electron alone.
    const size = await panel.app.evaluate(({ clipboard }) =>
      (clipboard as unknown as { readImage(): Electron.NativeImage }).readImage().getSize(),
    );
    expect(size.width).toBeGreaterThan(1000);
    expect(size.height).toBeGreaterThan(300);
  });
});
