import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer, referenceServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { callTool, inState, openSection, row, running } from '../../e2e/support/driving.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

const everything = referenceServer('everything', 'stdio');

const panels = usePanels();

describe('a stall', () => {
  it('shows what it rests on, and can be disputed in place', async () => {
    const health = { probeIntervalMs: 400, stallThresholdMs: 2000 };
    const panel = await panels.launch({
      servers: {
        deaf: { ...fixtureServer('--deaf-after-ms=800', '--timers-from-ready'), panel: { health } },
      },
    });
    const { page } = panel;
    const stall = page
      .getByRole('log', { name: 'Events' })
      .getByRole('button', { name: /^not responding/ })
      .first();
    await stall.waitFor();
    expect(await stall.getAttribute('aria-expanded')).toBe('false');
    await stall.press('Enter');
    expect(await stall.getAttribute('aria-expanded')).toBe('true');

    const details = page.getByRole('group', { name: 'Details: not responding' });
    const words = await details.innerText();
    expect(words).toMatch(/A health check that was sent while it had nothing else to do/);
    expect(words).not.toMatch(/Rule \d/);
    expect(words).toMatch(/[\d.]+ s, 2 s allowed/);
    expect(words).toMatch(/(ping|tools\/list) unanswered for/);

    await details.getByRole('button', { name: 'This was wrong', exact: true }).click();
    await details.getByText('From now on stalls of deaf are only reported').waitFor();
    const file = JSON.parse(readFileSync(join(panel.home, 'servers.json'), 'utf8')) as unknown;
    expect(file).toMatchObject({
      mcpServers: { deaf: { panel: { health: { ...health, onStall: 'notify' } } } },
    });
  });
});

describe('a limit breach', () => {
  it('tells what was under way, and the limit can be raised in place', async () => {
    const limits = { maxMemoryMiB: 8, sustainedSamples: 1, onBreach: 'notify' };
    const panel = await panels.launch({ servers: { big: { ...fixtureServer(), panel: { limits } } } });
    const { page } = panel;
    await openSection(panel, 'big', 'Overview');
    const log = page.getByRole('log', { name: 'Events' });
    await log.getByRole('button', { name: /^over its memory limit/ }).press('Enter');
    const details = page.getByRole('group', { name: 'Details: over its memory limit' });
    expect(await details.innerText()).toMatch(/Calls in flight\s+none/);
    await details.getByRole('img', { name: /^Memory five minutes before and after/ }).waitFor();

    await details.getByRole('button', { name: 'Raise limit to 256 MiB', exact: true }).click();
    await details.getByText('The limit of big is 256 MiB now.').waitFor();
    await log.getByRole('button', { name: /^over its memory limit, back under it after/ }).waitFor();
    const file = JSON.parse(readFileSync(join(panel.home, 'servers.json'), 'utf8')) as unknown;
    expect(file).toMatchObject({
      mcpServers: { big: { panel: { limits: { ...limits, maxMemoryMiB: 256 } } } },
    });
    expect(await panel.call('setLimits', 'big', { maxMemoryMiB: -1 })).toMatchObject({
      rejected: { code: expect.any(String) as string },
    });
    expect(await panel.call('setLimits', 'nobody', { maxMemoryMiB: 300 })).toMatchObject({
      rejected: { code: 'SERVER_UNKNOWN' },
    });
  });
});

describe('what happened around a server', () => {
  it('is in its events, and with sleep and starts of the panel on the time axis of its charts', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer('--version=1.0.0') } });
    const { app, page } = panel;
    await openSection(panel, 'one', 'Overview');
    await app.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
    await app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    await panel.call('putServer', { name: 'one', ...fixtureServer('--version=1.1.0') });

    const log = page.getByRole('log', { name: 'Events' });
    for (const words of [
      /configuration changed.*args.*restarts it/s,
      /server version changed.*from 1\.0\.0 to 1\.1\.0/s,
    ]) {
      await log.getByRole('listitem').filter({ hasText: words }).waitFor();
    }
    const { events } = await panel.snapshot();
    expect(events.find(({ kind }) => kind === 'config-changed')).toMatchObject({
      server: 'one',
      detail: { change: 'edited', fields: ['args'] },
    });
    const marks = page.getByRole('region', { name: 'Charts' }).locator('g[data-tip]');
    // The axis moves on once a second; the last event is on it from then on.
    for (const words of ['panel started', 'woke from sleep', 'server version changed'])
      await waitUntil(`a mark of "${words}"`, async () => {
        const tips = await Promise.all((await marks.all()).map((mark) => mark.getAttribute('data-tip')));
        return tips.join('\n').includes(words);
      });
  });
});

describe('the inspector', () => {
  it('shows progress, and cancels', async () => {
    const panel = await panels.launch({ servers: { everything } });
    await openSection(panel, 'everything', 'Tools');
    const { page } = panel;
    await page.getByRole('button', { name: 'trigger-long-running-operation', exact: true }).click();
    await page.getByLabel('duration', { exact: true }).fill('30');
    await page.getByLabel('steps', { exact: true }).fill('60');
    await page.getByRole('button', { name: 'Call trigger-long-running-operation', exact: true }).click();
    const progress = page.getByRole('progressbar');
    await waitUntil('progress', async () => Number((await progress.getAttribute('aria-valuenow')) ?? 0) > 0);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page
      .getByRole('status')
      .getByText(/^Cancelled after \d/)
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('gets prompts and reads resources', async () => {
    const panel = await panels.launch({ servers: { everything } });
    await openSection(panel, 'everything', 'Tools');
    const { page } = panel;
    await page.getByLabel('Search tools, prompts and resources').fill('args-prompt');
    await page.getByRole('button', { name: 'args-prompt', exact: true }).click();
    await page.getByLabel('city', { exact: true }).fill('Oslo');
    await page.getByRole('button', { name: 'Get args-prompt', exact: true }).click();
    await page.getByRole('region', { name: 'Result of args-prompt' }).getByText(/Oslo/).waitFor();

    await page.getByLabel('Search tools, prompts and resources').fill('features.md');
    const resources = page.getByRole('region', { name: 'Resources', exact: true });
    await resources.getByRole('button').first().click();
    await page.getByRole('button', { name: /^Read / }).click();
    await page.getByText('Answered', { exact: false }).waitFor();
    expect(await page.getByRole('region', { name: /^Result of / }).innerText()).toContain('#');
  });
});

describe('sessions', () => {
  it('are listed with their users, and can be evicted', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await openSection(panel, 'one', 'Sessions');
    const { page } = panel;
    await page.getByText('No client uses this server now.').waitFor();
    await callTool(panel, 'one', 'echo', { args: { text: 'x' }, context: 'a test' });
    const session = page.getByRole('listitem', { name: 'one', exact: true });
    await session.waitFor();
    await session.getByRole('cell', { name: 'a test', exact: true }).waitFor();
    await session.getByRole('button', { name: 'End session of one', exact: true }).click();
    await page.getByText('No client uses this server now.').waitFor();

    await page.getByRole('radiogroup', { name: 'Sharing' }).getByText('Exclusive').click();
    await page.getByRole('heading', { name: 'Exclusive', exact: true }).waitFor();
    expect(readFileSync(join(panel.home, 'servers.json'), 'utf8')).toContain('"exclusive"');
  });
});

describe('the list of servers', () => {
  const rows = async ({ page }: DrivenPanel) =>
    Promise.all(
      (await page.locator('[role=row][data-server]').all()).map((row) => row.getAttribute('aria-label')),
    );
  const settle = (panel: DrivenPanel, names: readonly string[]) =>
    waitUntil(`rows ${names.join(', ')}`, async () => (await rows(panel)).join() === names.join());

  it('is filtered and grouped, says so, and keeps the choice for the next launch', async () => {
    const off = { ...fixtureServer(), disabled: true };
    const panel = await panels.launch({ servers: { one: fixtureServer(), two: fixtureServer(), off } });
    const { page } = panel;
    await running(panel, 'one', 'two');
    const filter = page.getByLabel('Filter', { exact: true });
    expect(await filter.getByRole('option').allTextContents()).toEqual([
      'All · 3',
      'Needs attention · 0',
      'Running · 2',
      'Stopped · 1',
      'Disabled · 1',
    ]);

    await page.keyboard.press('Control+Shift+F');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Filter');
    await filter.selectOption('stopped');
    await settle(panel, ['off']);
    await page.getByText('1 of 3 shown', { exact: true }).waitFor();
    await filter.selectOption('attention');
    await page.getByText('No server needs attention now.').waitFor();
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
    await settle(panel, ['off', 'one', 'two']);
    await filter.selectOption('disabled');
    await settle(panel, ['off']);
    await filter.press('Escape');
    await settle(panel, ['off', 'one', 'two']);

    await page.getByLabel('Group', { exact: true }).selectOption('state');
    await settle(panel, ['one', 'two', 'off']);
    expect(await page.getByRole('rowgroup', { name: 'Running' }).getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Open one', exact: true }).focus();
    for (const next of ['two', 'off']) {
      await page.keyboard.press('ArrowDown');
      const focused = page.locator(':focus');
      expect(await focused.getAttribute('aria-label')).toBe(`Open ${next}`);
    }
    await page.reload();
    await settle(panel, ['one', 'two', 'off']);
  });

  it('lets no server go from under the pointer or the keyboard because its state changed', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer(), two: fixtureServer() } });
    const { page } = panel;
    await running(panel, 'one', 'two');
    await page.getByLabel('Filter', { exact: true }).selectOption('running');
    await page.getByRole('button', { name: 'Stop one', exact: true }).click();
    await inState(panel, 'one', 'Stopped');
    await page.getByLabel('Filter', { exact: true }).getByText('Running · 1').waitFor({ state: 'attached' });
    await settle(panel, ['one', 'two']);
    await page.mouse.move(5, 5);
    await settle(panel, ['two']);

    await page.getByRole('button', { name: 'Stop two', exact: true }).press('Enter');
    await inState(panel, 'two', 'Stopped');
    await settle(panel, ['two']);
    expect(await row(panel, 'two').locator(':focus').count()).toBe(1);
    await page.getByLabel('Filter', { exact: true }).focus();
    await page.getByText('No server is running.').waitFor();
  });
});
