import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { usePanels, type DrivenPanel } from '../e2e/harness.ts';
import { packages } from './packages.ts';

const panels = usePanels('each', () => packages().test);
const undos: (() => unknown)[] = [];
afterEach(() => {
  for (const undo of undos.splice(0)) undo();
});

const newVersion =
  'version: 9.9.9\npath: panel.AppImage\nsha512: AAAA\nfiles:\n  - url: panel.AppImage\n    sha512: AAAA\n';

/** Feed on this machine that records what it was asked for. */
async function startFeed(answer: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.url?.split('?')[0] ?? ''} by "${String(request.headers['x-user-staging-id'])}"`);
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  undos.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

/** Packs the feed into the package as electron-builder does for a build with one. */
function packFeed(url: string): void {
  const file = join(dirname(packages().test.executablePath), 'resources', 'app-update.yml');
  writeFileSync(
    file,
    `provider: generic\nurl: ${url}\nupdaterCacheDirName: mcp-control-panel-test-updater\n`,
  );
  undos.push(() => rmSync(file));
}

async function openSettings(panel: DrivenPanel) {
  await panel.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await panel.page.getByRole('link', { name: 'Updates', exact: true }).click();
  return panel.page.getByRole('region', { name: 'Updates' });
}

/** Files that nothing loads but a person who asks for updates, and a server that starts. */
const onDemand = ['update-engine.cjs', 'runs.cjs'];

/** Own files that the main process has loaded without a need, or for one. */
async function loadedOnDemand(panel: DrivenPanel): Promise<readonly string[]> {
  const loaded = await panel.app.evaluate(() => {
    const { _cache } = process.mainModule?.constructor as unknown as { _cache: Record<string, unknown> };
    return Object.keys(_cache).map((path) => path.replace(/^.*\//, ''));
  });
  expect(loaded).toContain('panel-host.cjs');
  return onDemand.filter((name) => loaded.includes(name));
}

describe('the updates of a package', () => {
  it('are off without a feed: the updater is not even loaded, and no environment turns it on', async () => {
    const { url, asked } = await startFeed(newVersion);
    const panel = await panels.launch({ env: { APPIMAGE: '/tmp/panel.AppImage', UPDATE_URL: url } });
    const updates = await openSettings(panel);
    await updates.getByText('Off: this build has no update feed').waitFor();
    expect(await updates.getByRole('button').count()).toBe(0);
    for (const step of ['check', 'download', 'install'])
      expect(await panel.call('takeUpdateStep', step)).toEqual({ kind: 'off' });
    expect(await loadedOnDemand(panel)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('are looked for when a person asks and not before, and told of without naming who asks', async () => {
    const { url, asked } = await startFeed(newVersion);
    packFeed(url);
    const panel = await panels.launch({ env: { APPIMAGE: '/tmp/panel.AppImage' } });
    const updates = await openSettings(panel);
    const button = updates.getByRole('button', { name: 'Check for updates' });
    await button.waitFor();
    expect(await loadedOnDemand(panel)).toEqual([]);
    expect(asked).toEqual([]);

    await button.click();
    await updates.getByText('Version 9.9.9 is available. Get it the way you got this one.').waitFor();
    expect(asked).toEqual(['/latest-linux.yml by ""']);
    expect(await loadedOnDemand(panel)).toEqual(['update-engine.cjs']);
    // Linux checks no signature, so nothing is fetched, whatever the page asks.
    await panel.call('takeUpdateStep', 'download');
    expect(asked).toHaveLength(1);
    expect(await panel.terminate()).toBe(0);
  });

  it('are not asked for over plain http from another machine', async () => {
    packFeed('http://updates.invalid/');
    const panel = await panels.launch({ env: { APPIMAGE: '/tmp/panel.AppImage' } });
    const updates = await openSettings(panel);
    await updates.getByRole('button', { name: 'Check for updates' }).click();
    await updates.getByText('could not be looked for').waitFor();
    expect(await updates.innerText()).toContain('net::ERR_BLOCKED_BY_CLIENT');
  });
});
