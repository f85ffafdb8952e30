import { afterAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type LaunchOptions } from './harness.ts';
import { samplesCome } from './support/samples-come.ts';
import {
  clickTrayMenu,
  desktopWithTray,
  labelsBecome,
  seenTray,
  tooltipBecomes,
  watchTray,
} from './support/tray.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels();
const desktop = desktopWithTray();

afterAll(() => desktop.remove());

interface MenusBuilt {
  readonly count: number;
  /** Submenus of servers. */
  readonly inner: number;
}

const afterServers = ['-', 'Stop all', 'Restart failed', '-', 'Open MCP Control Panel', 'Settings', 'Quit'];

const launch = (servers: LaunchOptions['servers']) =>
  panels.launch({ servers: servers ?? {}, env: desktop.env });

describe('the tray', () => {
  it('tells by tooltip, menu and icon how the servers are', async () => {
    const panel = await launch({ good: fixtureServer(), bad: fixtureServer() });
    await waitUntil(
      'both to run',
      () => panel.stdout().filter((line) => / running\b/.test(line)).length === 2,
    );
    await watchTray(panel);
    await panel.call('putServer', { name: 'missing', command: '/no/such/program' });
    await tooltipBecomes(panel, 'MCP Control Panel: 2 running · 1 failed');
    const { state } = (await panel.snapshot()).servers.find(({ name }) => name === 'missing')!;
    const reason = state.reasonData?.phrase ?? state.reason ?? '';
    expect(reason).toMatch(/not found/);
    await labelsBecome(panel, [
      '2 running, 1 failed',
      '-',
      '⊗ missing: Failed',
      reason,
      '● good: Running',
      '● bad: Running',
      ...afterServers,
    ]);
    const { icons } = await seenTray(panel);
    expect(icons.length).toBeGreaterThan(0);
    expect(icons.every(({ isEmpty, width }) => !isEmpty && width === 22)).toBe(true);

    await panel.call('removeServer', 'missing');
    await tooltipBecomes(panel, 'MCP Control Panel: 2 running');
    const looks = (await seenTray(panel)).icons.map(({ look }) => look);
    expect(looks.at(-1)).not.toBe(icons.at(-1)?.look);
  });

  it('starts, stops and opens servers by its menu, shows the window, and quits', async () => {
    const panel = await launch({ one: fixtureServer() });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await watchTray(panel);
    await panel.call('restartServer', 'one');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');
    await clickTrayMenu(panel, '● one: Running', 'Stop');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 stopped');
    expect(panel.serverProcesses()).toEqual([]);
    await clickTrayMenu(panel, '○ one: Stopped', 'Start');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');

    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await clickTrayMenu(panel, '● one: Running', 'Open');
    await waitUntil('the page of the server', () => panel.page.url().endsWith('#/servers/one'));
    await waitUntil('the window', () =>
      panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true),
    );
    await clickTrayMenu(panel, 'Quit');
    await waitUntil('the app to leave', () => panel.exitCode() !== undefined);
    expect(panel.exitCode()).toBe(0);
  });

  it('follows servers that are added and removed while the window is hidden', async () => {
    const panel = await launch({ one: fixtureServer() });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await watchTray(panel);
    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    // This server does not start by itself, so no change of state can tell of it.
    await panel.call('putServer', { name: 'idle', command: 'none', panel: { autoStart: false } });
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running · 1 stopped');
    await panel.call('removeServer', 'idle');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');
  });

  it('builds its menu anew only for what looks different', async () => {
    const panel = await launch({ one: fixtureServer() });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await watchTray(panel);
    await panel.call('stopServer', 'one');
    await labelsBecome(panel, ['1 stopped', '-', '○ one: Stopped', ...afterServers]);
    await panel.call('startServer', 'one');
    await labelsBecome(panel, ['1 running', '-', '● one: Running', ...afterServers]);
    await panel.app.evaluate(({ Menu }) => {
      const counter = { count: 0, inner: 0 };
      Object.assign(globalThis, { menusBuilt: counter });
      const build = Menu.buildFromTemplate.bind(Menu);
      Menu.buildFromTemplate = (template) => {
        counter.count += 1;
        if (template.some(({ label }) => label === 'Restart')) counter.inner += 1;
        return build(template);
      };
    });
    const menusBuilt = () =>
      panel.app.evaluate(() => (globalThis as unknown as { menusBuilt: MenusBuilt }).menusBuilt);
    await samplesCome(panel, 'one', 3);
    expect((await menusBuilt()).count).toBe(0);
    await panel.call('stopServer', 'one');
    await labelsBecome(panel, ['1 stopped', '-', '○ one: Stopped', ...afterServers]);
    // The server's submenu stays because Electron frees none that once was in a menu of the tray.
    expect((await menusBuilt()).inner).toBe(0);
  });

  it('makes no icon and no menu where nobody would see them', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await watchTray(panel);
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await panel.call('stopServer', 'one');
    await panel.call('startServer', 'one');
    await samplesCome(panel, 'one', 3);
    expect(await seenTray(panel)).toEqual({ tooltip: '', labels: [], icons: [] });
  });
});
