import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { takePicture } from './support/pictures.ts';
import { waitUntil } from './support/wait-until.ts';
import { MINUTE_MS } from '../../shared/units.ts';

const EVENTS = 1300;

const panels = usePanels();

/** Home of an earlier launch, in which a client was refused once a minute. */
function homeWithEvents(): string {
  const home = panels.tempFolder('activity-');
  const now = Date.now();
  const lines = Array.from({ length: EVENTS }, (_, index) => {
    const at = now - (EVENTS - index) * MINUTE_MS;
    const id = `${String(at).padStart(14, '0')}-${String(index).padStart(8, '0')}-earlier`;
    const detail = { reason: 'token', name: `client ${index}` };
    return JSON.stringify({ id, at, server: null, kind: 'client-refused', detail });
  });
  mkdirSync(join(home, 'logs'), { mode: 0o700 });
  writeFileSync(join(home, 'logs', 'events.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: {} }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
  return home;
}

/** Loaded ones, by the head of the view: of the rows, the page has those near what is in view. */
const eventsShown = async ({ page }: DrivenPanel) => {
  const words = (await page.getByText(/^[\d,.\s]+ events( · .* loaded)?$/).textContent()) ?? '';
  return Number((words.split('·')[1] ?? words).replaceAll(/\D/g, ''));
};
/** Where the row of an event stands in the window. */
const topOf = ({ page }: DrivenPanel, id: string) =>
  page.evaluate<number>(`document.querySelector('[data-event~="${id}"]').getBoundingClientRect().top`);
const toTheEnd = ({ page }: DrivenPanel) =>
  page.evaluate(
    `(() => { const log = document.querySelector('[role=log]'); log.scrollTop = log.scrollHeight; })()`,
  );

it('goes back over the events of earlier launches, newest first, and what is read stays where it is', async () => {
  const panel = await panels.launch({ home: homeWithEvents() });
  const { page } = panel;
  await page.evaluate(`void (location.hash = '#/activity')`);
  const older = page.getByRole('button', { name: 'Show older ones' });
  await older.waitFor();
  await waitUntil('the last events to be drawn', async () => (await eventsShown(panel)) >= 1000);

  // Of a kind of which none is here, the older ones are read by themselves.
  const kind = page.getByRole('combobox', { name: 'Kind of event' });
  await kind.selectOption({ label: 'Crashed' });
  await page.getByText('Nothing of this kind happened in the time shown.').waitFor();
  expect(await findViolations(panel)).toEqual([]);
  await kind.selectOption({ label: 'All events' });
  await waitUntil('all kinds to be drawn', async () => (await eventsShown(panel)) >= 1000);

  expect(await page.locator('[data-event]').count()).toBeLessThan(120);

  // By the keyboard: to the end of the log, and on.
  await toTheEnd(panel);
  // Rows are drawn some time after the log was scrolled: only one in view is the last of all.
  const { id: last, top: before } = await waitUntil('the last row to be in view', () =>
    page.evaluate<{ id: string; top: number } | undefined>(
      `(() => {
        const row = [...document.querySelectorAll('[data-event]')].at(-1);
        const { top } = row.getBoundingClientRect();
        const log = document.querySelector('[role=log]').getBoundingClientRect();
        return top >= log.top && top < log.bottom ? { id: row.dataset.event.split(' ')[0], top } : undefined;
      })()`,
    ),
  );
  await older.focus();
  await page.keyboard.press('Enter');
  await waitUntil('all of them to be there', async () => (await eventsShown(panel)) > EVENTS);
  expect(Math.abs((await topOf(panel, last)) - before)).toBeLessThan(60);
  await takePicture(page, 'activity-older');
  expect(await older.count()).toBe(0);
}, 120_000);
