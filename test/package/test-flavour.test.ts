import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SeriesReply } from '../../shared/history.ts';
import { usePanels } from '../e2e/harness.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { packages } from './packages.ts';
import { tempFolder } from '../support/temp-folder.ts';

const panels = usePanels('each', () => packages().test);

/** Home of a person who never started the panel. */
const freshHome = (): string => tempFolder('mcp-control-panel-package-home-');

describe('the test flavour', () => {
  it('says what it is in its name', () => {
    expect(basename(packages().test.executablePath)).toBe('mcp-control-panel-test');
  });

  it('is driven from a first run without servers to a running one with figures, and quits with exit code 0', async () => {
    const panel = await panels.launch({ home: freshHome() });
    const { app, page } = panel;
    expect(await app.evaluate((electron) => electron.app.isPackaged)).toBe(true);
    expect(page.url()).toBe('app://bundle/index.html');
    expect((await panel.snapshot()).servers).toEqual([]);
    await page.getByRole('button', { name: 'Add a server…' }).waitFor();

    await panel.call('putServer', { name: 'one', ...fixtureServer() });
    await page.getByRole('row', { name: 'one', exact: true }).getByText('Running', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open one' }).click();
    for (const figure of ['Memory of one', 'CPU of one']) {
      await waitUntil(figure, async () => /\d/.test(await page.getByLabel(figure).first().innerText()));
    }
    expect(panel.serverProcesses()).toHaveLength(1);

    await panel.call('stopServer', 'one');
    expect(panel.serverProcesses()).toEqual([]);
    await panel.call('startServer', 'one');
    // The answer to Quit is lost because the driver's connection ends with the app.
    await app.evaluate((electron) => void setImmediate(() => electron.app.quit())).catch(() => undefined);
    await waitUntil('the app to leave', () => panel.exitCode() !== undefined);
    expect(panel.exitCode()).toBe(0);
    expect(panel.serverProcesses()).toEqual([]);
    expect(panel.stdout().at(-1)).toMatch(/ one stopped\b/);
  });

  it('keeps its history in a file, from inside the archive, and finds it again after a restart', async () => {
    const home = freshHome();
    const first = await panels.launch({ home });
    await first.call('putServer', { name: 'one', ...fixtureServer() });
    const [from, to] = [Date.now() - 600_000, Date.now() + 600_000];
    const bucketsOf = async (panel: typeof first) => {
      const query = { servers: ['one'], metrics: ['memoryBytes'], maxBuckets: 2000, from, to };
      const reply = await panel.call<SeriesReply>('getSeries', query);
      return reply.series[0]?.index ?? [];
    };
    await waitUntil('a figure', async () => (await bucketsOf(first)).length > 0);
    expect(await first.call('getHistoryState')).toMatchObject({
      keptIn: 'file',
      path: join(home, 'history.db'),
    });
    const seen = await bucketsOf(first);
    expect(await first.terminate()).toBe(0);
    const second = await panels.launch({ home });
    expect(await bucketsOf(second)).toEqual(expect.arrayContaining(seen));
    expect(await second.call('getHistoryState')).not.toHaveProperty('problem');
  });

  it('keeps what was added for the next start, and seeds nothing', async () => {
    const home = freshHome();
    const first = await panels.launch({ home });
    await first.call('putServer', { name: 'one', ...fixtureServer() });
    expect(await first.terminate()).toBe(0);
    const file = JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as { mcpServers: object };
    expect(Object.keys(file.mcpServers)).toEqual(['one']);
    const second = await panels.launch({ home });
    await waitUntil('the server to run again', () =>
      second.stdout().some((line) => / one running\b/.test(line)),
    );
  });
});
