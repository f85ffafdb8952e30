import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../shared/domain.ts';
import { stateKinds } from '../../shared/server-states.ts';
import { findViolationsIn } from '../e2e/support/axe.ts';
import { everyState, provokeEveryState } from '../e2e/support/every-state.ts';
import { breakConfiguration, eachSection, go, leave, openFirstStart, views } from '../e2e/support/views.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { writeClientHome } from '../fixtures/client-homes.ts';
import type { ConnectedClient } from '../fixtures/gateways/connect-client.ts';
import { showsEveryServer, showsMeasuredMemory } from './core-facts.ts';
import { chromiumPath, openChromiumPanel, type ChromiumPanel } from './harness.ts';
import { takeLooks } from './looks.ts';

let panel: ChromiumPanel;
const clients: ConnectedClient[] = [];
const clientHome = writeClientHome('http://127.0.0.1:1/mcp');
const env = { HOME: clientHome.path, XDG_CONFIG_HOME: '' };

const row = (name: string) => panel.page.getByRole('row', { name, exact: true });

/** What is wrong with the view as it is: what axe finds in both themes and in forced colours, and what the page did wrong. */
async function findWrong(of = panel): Promise<string[]> {
  const violations = await findViolationsIn(of.page, (percent) => of.zoomTo(percent));
  return [...violations, ...of.takeFaults()];
}

describe.skipIf(chromiumPath === undefined)('the built renderer in a current Chromium', () => {
  beforeAll(async () => {
    panel = await openChromiumPanel({ servers: everyState, env });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    // Other processes are killed because they would delay the end by a minute.
    for (const { pid, command } of panel.serverProcesses())
      if (command.includes('--ignore-sigterm')) process.kill(pid, 'SIGKILL');
    await panel.end();
    rmSync(clientHome.path, { recursive: true, force: true });
  });
  // Whatever goes wrong in the page after a test looked belongs to that test, not to the next.
  afterEach(() => expect(panel.takeFaults()).toEqual([]));

  it('shows the overview with a server in every state, and what the core measures', async () => {
    await provokeEveryState(panel);
    const { servers } = await panel.call<Snapshot>('getSnapshot');
    expect([...new Set(servers.map(({ state }) => state.kind))].sort()).toEqual([...stateKinds].sort());
    await takeLooks(panel.page, 'overview');
    expect(await findWrong()).toEqual([]);
    await showsEveryServer(panel);
    await showsMeasuredMemory(panel, 'everything', row('everything'));
  });

  it('shows the page of a server, with its figures', async () => {
    await go(panel.page, '#/servers/everything');
    await showsMeasuredMemory(panel, 'everything', panel.page.locator('main'));
  });

  it.each(views)('shows without a fault: $name', async ({ name, open }) => {
    await leave(panel.page);
    await open(panel.page, { ...panel, clients });
    await takeLooks(panel.page, name);
    expect(await findWrong()).toEqual([]);
    // A search narrows the links, too.
    if (name !== 'a search without a match') await showsEveryServer(panel);
  });

  it('shows without a fault: every section of the page of a server that runs', async () => {
    await leave(panel.page);
    const count = await eachSection(panel.page, 'everything', async (section) => {
      await takeLooks(panel.page, `section ${section}`);
      expect(await findWrong(), section).toEqual([]);
    });
    expect(count).toBeGreaterThanOrEqual(4);
  });

  it('follows the pushes of the core, and a reload', async () => {
    await leave(panel.page);
    await row('everything').getByText('Running', { exact: true }).waitFor();
    await panel.call('stopServer', 'everything');
    await row('everything').getByText('Stopped', { exact: true }).waitFor();
    await panel.page.reload();
    await row('everything').getByText('Stopped', { exact: true }).waitFor();
    await panel.call('startServer', 'everything');
    await row('everything').getByText('Running', { exact: true }).waitFor();
  });

  it('shows without a fault: a configuration that is broken', async () => {
    await breakConfiguration(panel.page, panel.home);
    await takeLooks(panel.page, 'broken configuration');
    expect(await findWrong()).toEqual([]);
  });

  it('shows without a fault: the first start', async () => {
    const first = await openChromiumPanel({ servers: {}, env });
    try {
      await openFirstStart(first.page);
      await takeLooks(first.page, 'first start');
      expect(await findWrong(first)).toEqual([]);
    } finally {
      await first.end();
    }
  });

  it('would be found out by what a page must not do', async () => {
    const { page } = panel;
    const planted = [
      `console.error('planted')`,
      `void Promise.reject(new Error('planted'))`,
      `setTimeout(() => { throw new Error('planted'); })`,
      `document.body.append(Object.assign(document.createElement('script'), { textContent: '0' }))`,
      `fetch('http://127.0.0.1:1/').catch(() => undefined)`,
      `document.querySelector('main').setAttribute('style', 'opacity: 0.99')`,
    ];
    const expected = [
      /^console error: planted/,
      /^unhandled rejection: Error: planted/,
      /^uncaught: Error: planted/,
      /^policy: script-src-elem inline/,
      /^policy: connect-src http:\/\/127\.0\.0\.1:1\//,
      /^policy: style-src-attr inline/,
    ];
    for (const [index, script] of planted.entries()) {
      const found: string[] = [];
      await page.evaluate(`{ ${script} }`);
      await waitUntil(`a fault for ${script}`, () => {
        found.push(...panel.takeFaults());
        return found.some((fault) => expected[index]?.test(fault));
      });
    }
    await page.reload();
    await page.locator('main').waitFor();
    panel.takeFaults();
  });
});
