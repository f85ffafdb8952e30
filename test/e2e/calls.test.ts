import { expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels } from './harness.ts';
import { callTool, row, running } from './support/driving.ts';

const panels = usePanels();

it('shows what calls to a server cost, on its page and in the list', async () => {
  const panel = await panels.launch({ servers: { worker: fixtureServer(), other: fixtureServer() } });
  const { page } = panel;
  await running(panel, 'worker');

  await page.getByRole('link', { name: 'Open worker', exact: true }).click();
  await page.getByText('No calls in this hour').waitFor();
  for (let index = 0; index < 5; index += 1) await callTool(panel, 'worker', 'sleep', { args: { ms: 20 } });
  const params = { name: 'there is none', arguments: {} };
  await panel.call('callServer', { callId: 'prompt', name: 'worker', method: 'prompts/get', params });

  const figure = (title: string) => page.getByRole('group', { name: `${title} of worker`, exact: true });
  await figure('Call duration')
    .getByText(/^p50 \d/)
    .waitFor();
  await expect.poll(() => figure('Calls').textContent()).toBe('6 /min');
  const calls = page.getByRole('img', {
    name: /^Calls over time: latest 6 \/min \(0\.1 per second\), peak \d \/min, 1 error$/,
  });
  await calls.waitFor();
  expect(await calls.locator('[data-mark="errors"]').count()).toBe(1);
  expect(await calls.locator('[data-curve=area]').getAttribute('d')).toMatch(/^M\S+ \S+[HVL].*Z$/);
  const durations = page.getByRole('img', { name: /^Call duration over time: latest p50 / });
  expect(await durations.locator('[data-curve=line]').count()).toBe(1);
  const charts = await page.getByRole('img', { name: / over time: / }).all();
  const labels = await Promise.all(charts.map((chart) => chart.getAttribute('aria-label')));
  const places = labels.map((label) => label?.split(' over')[0]);
  expect(places).toEqual(['Memory', 'CPU', 'Calls', 'Call duration', 'Open files', 'Processes']);
  expect(await page.getByText('No calls in this hour').count()).toBe(0);

  await page
    .getByRole('link', { name: /^Servers/ })
    .first()
    .click();
  const cell = (server: string, name: string | RegExp) => row(panel, server).getByRole('cell', { name });
  const column = page.getByRole('checkbox', { name: 'Show calls of the last hour' });
  const view = page.getByRole('button', { name: 'View of the list' });
  await view.click();
  expect(await column.isChecked()).toBe(false);
  await column.click();
  await cell('worker', 'Calls in the last hour 6, 1 error').waitFor();
  await cell('other', 'Calls in the last hour 0').waitFor();
  await page.reload();
  await cell('worker', 'Calls in the last hour 6, 1 error').waitFor();
  await view.click();
  await column.click();
  expect(await cell('worker', /^Calls in the last hour/).count()).toBe(0);
});
