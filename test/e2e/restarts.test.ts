import { describe, expect, it } from 'vitest';
import type { RestartStory } from '../../shared/restart-story.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { callTool } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
const panelWith = sharedPanel(panels);
const CRASHES = 3;

const runs = async (panel: DrivenPanel, generation: number) =>
  waitUntil(`run ${generation}`, async () => {
    const [server] = (await panel.snapshot()).servers;
    return server?.state.kind === 'running' && server.generation === generation;
  });

/** Calls the tool that ends the server, and waits for the next run. */
async function crash(panel: DrivenPanel, generation: number): Promise<void> {
  await runs(panel, generation);
  const [server] = (await panel.snapshot()).servers;
  await callTool(panel, server?.name ?? '', 'crash', { args: { code: 3 } });
  await runs(panel, generation + 1);
}

describe('the restarts of a server', () => {
  it('are told with their pattern, and each with its chain, its lost call and its last words, by the keyboard alone', async () => {
    const panel = await panelWith({
      one: {
        ...fixtureServer('--stderr-text=out of luck'),
        panel: { restart: { initialBackoffMs: 10, maxRestartAttempts: 20 } },
      },
    });
    const { page } = panel;
    for (let generation = 1; generation <= CRASHES; generation += 1) await crash(panel, generation);

    // From the crash in the activity to its story.
    await page.evaluate(`void (location.hash = '#/activity')`);
    const incident = page
      .getByRole('log')
      .getByRole('button', { name: /^crashed/ })
      .last();
    await incident.focus();
    await page.keyboard.press('Enter');
    const why = page.getByRole('link', { name: 'Why did it restart?' });
    await why.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why did it restart?' }).waitFor();
    await page
      .getByRole('button', { name: 'All 3 crashes and stalls came during a call of crash' })
      .waitFor();
    const details = page.getByRole('group', { name: 'Details: crashed' });
    await details
      .getByRole('list', { name: 'What happened' })
      .getByText(/^crashed · exit 3/)
      .waitFor();
    await details.getByRole('cell', { name: 'This window' }).waitFor();
    expect(await details.getByLabel('Last of stderr').textContent()).toBe('out of luck');
    await details.getByRole('img', { name: /^Memory in the 10 m before/ }).waitFor();
    expect(await findViolations(panel)).toEqual([]);

    // By the shortcut of the tab, where nothing is asked about.
    await page.keyboard.press('Alt+1');
    await page.getByRole('log', { name: 'Events' }).waitFor();
    await page.keyboard.press('Alt+6');
    await page.getByRole('heading', { name: 'Stops and restarts' }).waitFor();
    expect(await details.count()).toBe(0);
    const first = page.locator('[data-end] button[aria-expanded]').first();
    await first.focus();
    await page.keyboard.press('Enter');
    await details.waitFor();
    await details.getByRole('button', { name: /^This moment in/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Here in Logs' }).press('Enter');
    await page.getByRole('log', { name: 'Logs' }).waitFor();
  });

  it('outlive the panel, whose own end is told, too', async () => {
    const first = await panelWith({
      // A name of its own, because the story of the other one goes on.
      two: { ...fixtureServer(), panel: { restart: { initialBackoffMs: 10 } } },
    });
    await crash(first, 1);
    await first.terminate();

    const panel = await panels.launch({ home: first.home });
    await runs(panel, 1);
    const query = { server: 'two', from: 0, to: Date.now() + 60_000, limit: 10 };
    const { ends } = await panel.call<RestartStory>('getRestartStory', query);
    expect(ends.map(({ cause }) => cause)).toEqual(['panel-quit', 'crash']);
    await panel.page.evaluate(`void (location.hash = '#/servers/two/restarts')`);
    await panel.page.getByText('the panel quit').waitFor();
  });
});
