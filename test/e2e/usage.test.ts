import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { makeUpPast } from './support/made-up-past.ts';
import { takePicture } from './support/pictures.ts';
import { saveInto } from './support/save-into.ts';
import { go } from './support/views.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
let panel: DrivenPanel;
const names = ['alpha', 'beta', 'gamma'];

beforeAll(async () => {
  panel = await panels.launch({
    servers: Object.fromEntries(names.map((name) => [name, fixtureServer()])),
  });
  await makeUpPast(panel);
  for (const name of names)
    await panel.page
      .locator(`[role="row"][data-server="${name}"]`)
      .getByText('Running', { exact: true })
      .waitFor();
});

const hashOf = ({ page }: DrivenPanel) => page.evaluate<string>('location.hash');
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
const savedPath = async ({ page }: DrivenPanel, ending: string): Promise<string> => {
  const note = page.getByText('Saved', { exact: true });
  await waitUntil(`a .${ending} to be saved`, async () =>
    ((await note.getAttribute('data-tip')) ?? '').endsWith(`.${ending}`),
  );
  return (await note.getAttribute('data-tip'))!;
};

it('leads from the band of a server to its page, with the same span, and saves what it shows', async () => {
  const { page } = panel;
  const folder = mkdtempSync(join(tmpdir(), 'usage-'));
  await saveInto(panel, folder);
  await page.keyboard.press('Control+2');
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Time shown' }).selectOption({ label: '24 h' });
  const list = page.getByRole('table', { name: 'Memory by server' });
  await list.getByRole('link', { name: 'gamma' }).waitFor();
  await takePicture(page, 'usage-24h');

  const { server, x, y } = await pointInBand(panel);
  await page.mouse.click(x, y);
  await page.getByRole('heading', { name: server, exact: true }).waitFor();
  expect(await hashOf(panel)).toBe(`#/servers/${server}?last=24h`);
  await page.getByRole('combobox', { name: 'Time shown' }).waitFor();
  expect(await chosenSpan(panel)).toBe(String(24 * 3_600_000));

  await page.keyboard.press('Control+2');
  const plots = (await page.locator('[data-charts="usage"]').boundingBox())!;
  await list.getByRole('link', { name: 'gamma' }).waitFor();
  await page.mouse.move(plots.x + plots.width * 0.4, plots.y + 90);
  await page.mouse.down();
  await page.mouse.move(plots.x + plots.width * 0.7, plots.y + 95, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Back to 24 h' }).waitFor();
  await page.getByRole('button', { name: 'Save figures as CSV…' }).click();
  const csv = readFileSync(await savedPath(panel, 'csv'), 'utf8');
  expect(csv).toMatch(/^time,server,average memory \(bytes\),peak memory/);
  for (const name of names) expect(csv).toContain(`,${name},`);
  await page.getByRole('button', { name: 'Save picture as PNG…' }).click();
  const png = readFileSync(await savedPath(panel, 'png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
  rmSync(folder, { recursive: true });

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to 24 h' }).waitFor({ state: 'detached' });
  await page.getByText('Table', { exact: true }).click();
  const table = page.getByRole('table', { name: 'Usage by server' });
  expect(await table.getByRole('row').count()).toBe(names.length + 2);
});

it('compares servers that were selected in the list, and keeps them over a reload and the way back', async () => {
  const { page } = panel;
  await go(page, '#/servers');
  await page.getByRole('link', { name: 'Open alpha' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  expect(await hashOf(panel)).toMatch(/^#\/compare\/alpha,beta,gamma(?:\?|$)/);
  const lines = page.getByRole('list', { name: 'Memory by server' }).getByRole('link');
  await waitUntil('three lines', async () => (await lines.count()) === 3);
  await takePicture(page, 'compare-3');

  await page.getByRole('button', { name: 'Leave out beta' }).click();
  await waitUntil('two lines', async () => (await lines.count()) === 2);
  await page.goBack();
  await waitUntil('three lines again', async () => (await lines.count()) === 3);
  await page.reload();
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  await waitUntil('three lines after a reload', async () => (await lines.count()) === 3);

  const slider = page.getByRole('slider', { name: 'Time cursor of the servers compared' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/Memory: alpha .*, beta .*, gamma .* MiB/);
  await page.getByRole('list', { name: 'Memory by server' }).getByRole('link', { name: 'beta' }).click();
  await page.getByRole('heading', { name: 'beta', exact: true }).waitFor();
});
