import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { takePicture } from './support/pictures.ts';
import { hashOf, saveInto } from './support/driving.ts';
import { launchMonth } from './support/month.ts';
import { waitUntil } from './support/wait-until.ts';
import { go } from './support/views.ts';
import { HOUR_MS } from '../../shared/units.ts';

const names = ['browser', 'github', 'nightly-backup'];
const panels = usePanels('all');
let panel: DrivenPanel;

beforeAll(async () => {
  panel = await launchMonth(panels, names.length);
  await saveInto(panel, panels.tempFolder('over-time-'));
}, 180_000);

/** Path of the file that was saved last, once it has that ending. */
const savedPath = async (ending: string): Promise<string> => {
  const note = panel.page.getByText('Saved', { exact: true });
  await waitUntil(`a file ${ending} to be saved`, async () =>
    Boolean((await note.getAttribute('data-tip'))?.endsWith(ending)),
  );
  return (await note.getAttribute('data-tip'))!;
};

/** Instants at the edges of the charts. */
const shownSpan = async ({ page }: DrivenPanel) => {
  const slider = page.getByRole('slider', { name: 'Time cursor of github' });
  const at = async (edge: string) => Number(await slider.getAttribute(`aria-value${edge}`));
  return { from: await at('min'), to: await at('max') };
};

describe('the charts of a server over time', () => {
  beforeAll(async () => {
    await go(panel.page, '#/servers/github');
    await panel.page.getByRole('slider', { name: 'Time cursor of github' }).waitFor();
  });

  const button = (name: string) => panel.page.getByRole('button', { name });

  it('show the last week, hour and day', async () => {
    const { page } = panel;
    const spans = { '7 d': 168 * HOUR_MS, '1 h': HOUR_MS, '24 h': 24 * HOUR_MS };
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
    const { from, to } = await shownSpan(panel);
    await button('Save figures as CSV…').click();
    const lines = readFileSync(await savedPath('.csv'), 'utf8').split('\r\n');
    expect(lines[0]).toMatch(
      /^time,Memory average \(bytes\),Memory min \(bytes\),Memory max \(bytes\),CPU ave/,
    );
    const [time = ''] = lines[1]!.split(',');
    expect(Date.parse(time)).toBeGreaterThan(from - HOUR_MS);
    expect(Date.parse(time)).toBeLessThan(to);
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

const chosenSpan = ({ page }: DrivenPanel) => page.getByRole('combobox', { name: 'Time shown' }).inputValue();
/** A place within the lowest band of memory, near its end: the nights of the made-up past are empty. */
async function pointInBand({ page }: DrivenPanel): Promise<{ server: string; x: number; y: number }> {
  const band = `document.querySelector('[data-charts="usage"] path[data-curve="band"]')`;
  await waitUntil('the answer for the whole span to be drawn', () =>
    page.evaluate<boolean>(
      `${band}.getBoundingClientRect().width > ${band}.ownerSVGElement.getBoundingClientRect().width / 2`,
    ),
  );
  return page.evaluate(`{
    const path = ${band};
    const { left, width, bottom } = path.getBoundingClientRect();
    const point = path.ownerSVGElement.createSVGPoint();
    const y = bottom - 8;
    const xs = Array.from({ length: 80 }, (_, step) => left + width * (0.9 - step / 100));
    const x = xs.find((at) =>
      path.isPointInFill(Object.assign(point, { x: at, y }).matrixTransform(path.getScreenCTM().inverse())),
    );
    ({ server: path.parentElement.getAttribute('data-series'), x, y });
  }`);
}
it('leads from the band of a server to its page, with the same span, and saves what it shows', async () => {
  const { page } = panel;
  await page.keyboard.press('Control+2');
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Time shown' }).selectOption({ label: '24 h' });
  const list = page.getByRole('table', { name: 'Memory by server' });
  await list.getByRole('link', { name: 'github' }).waitFor();
  await takePicture(page, 'usage-24h');

  const { server, x, y } = await pointInBand(panel);
  await page.mouse.click(x, y);
  await page.getByRole('heading', { name: server, exact: true }).waitFor();
  expect(await hashOf(panel)).toBe(`#/servers/${server}?last=24h`);
  await page.getByRole('combobox', { name: 'Time shown' }).waitFor();
  expect(await chosenSpan(panel)).toBe(String(24 * 3_600_000));

  await page.keyboard.press('Control+2');
  const plots = (await page.locator('[data-charts="usage"]').boundingBox())!;
  await list.getByRole('link', { name: 'github' }).waitFor();
  await page.mouse.move(plots.x + plots.width * 0.4, plots.y + 90);
  await page.mouse.down();
  await page.mouse.move(plots.x + plots.width * 0.7, plots.y + 95, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Back to 24 h' }).waitFor();
  await page.getByRole('button', { name: 'Save figures as CSV…' }).click();
  const csv = readFileSync(await savedPath('.csv'), 'utf8');
  expect(csv).toMatch(/^time,server,average memory \(bytes\),peak memory/);
  for (const name of names) expect(csv).toContain(`,${name},`);
  await page.getByRole('button', { name: 'Save picture as PNG…' }).click();
  const png = readFileSync(await savedPath('.png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to 24 h' }).waitFor({ state: 'detached' });
  await page.getByText('Table', { exact: true }).click();
  const table = page.getByRole('table', { name: 'Usage by server' });
  expect(await table.getByRole('row').count()).toBe(names.length + 2);
});

it('compares servers that were selected in the list, and keeps them over a reload and the way back', async () => {
  const { page } = panel;
  await go(page, '#/servers');
  await page.getByRole('link', { name: 'Open browser' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  expect(await hashOf(panel)).toMatch(/^#\/compare\/browser,github,nightly-backup(?:\?|$)/);
  const lines = page.getByRole('list', { name: 'Memory by server' }).getByRole('link');
  await waitUntil('three lines', async () => (await lines.count()) === 3);
  await takePicture(page, 'compare-3');

  await page.getByRole('button', { name: 'Leave out github' }).click();
  await waitUntil('two lines', async () => (await lines.count()) === 2);
  await page.goBack();
  await waitUntil('three lines again', async () => (await lines.count()) === 3);
  await page.reload();
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  await waitUntil('three lines after a reload', async () => (await lines.count()) === 3);

  const slider = page.getByRole('slider', { name: 'Time cursor of the servers compared' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(
    /Memory: browser .*, github .*, nightly-backup .* MiB/,
  );
  await page.getByRole('list', { name: 'Memory by server' }).getByRole('link', { name: 'github' }).click();
  await page.getByRole('heading', { name: 'github', exact: true }).waitFor();
});
