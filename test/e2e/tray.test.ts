import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { leaves, samplesCome, windowDoes, windowIsShown } from './support/driving.ts';
import {
  clickTrayMenu,
  desktopWithTray,
  labelsBecome,
  seenTray,
  tooltipBecomes,
  watchTray,
} from './support/tray.ts';
import { waitUntil } from './support/wait-until.ts';

const desktop = desktopWithTray();
const panelWith = sharedPanel(usePanels('all'), { env: desktop.env });

beforeAll(async () => watchTray(await panelWith()));
afterAll(() => desktop.remove());

interface MenusBuilt {
  readonly count: number;
  /** Submenus of servers. */
  readonly inner: number;
}

const afterServers = [
  '-',
  'Stop all',
  'Restart failed',
  '-',
  'Open MCP Control Panel',
  'Settings',
  'About',
  'Quit',
  'Quit and stop serving',
];

/** Panel whose servers run, as its tray tells. */
async function watched(servers: Readonly<Record<string, unknown>>): Promise<DrivenPanel> {
  const panel = await panelWith(servers);
  const tooltip = `MCP Control Panel: ${Object.keys(servers).length} running`;
  await tooltipBecomes(panel, tooltip).catch(async () => {
    // On a busy machine the answer whether there is a tray may come too late; the panel asks again at a close.
    await windowDoes(panel, 'close');
    await tooltipBecomes(panel, tooltip);
    await windowDoes(panel, 'show');
  });
  return panel;
}

describe('the tray', () => {
  it('tells by tooltip, menu and icon how the servers are', async () => {
    const panel = await watched({ good: fixtureServer(), bad: fixtureServer() });
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

  it('follows servers that are added and removed while the window is hidden', async () => {
    const panel = await watched({ one: fixtureServer() });
    await windowDoes(panel, 'hide');
    // This server does not start by itself, so no change of state can tell of it.
    await panel.call('putServer', { name: 'idle', command: 'none', panel: { autoStart: false } });
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running · 1 stopped');
    await panel.call('removeServer', 'idle');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');
  });

  it('builds its menu anew only for what looks different', async () => {
    const panel = await watched({ one: fixtureServer() });
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

  // It comes last because the panel ends with it.
  it('starts, stops and opens servers by its menu, shows the window, and quits', async () => {
    const panel = await watched({ one: fixtureServer() });
    await panel.call('restartServer', 'one');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');
    await clickTrayMenu(panel, '● one: Running', 'Stop');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 stopped');
    expect(panel.serverProcesses()).toEqual([]);
    await clickTrayMenu(panel, '○ one: Stopped', 'Start');
    await tooltipBecomes(panel, 'MCP Control Panel: 1 running');

    await windowDoes(panel, 'hide');
    await clickTrayMenu(panel, '● one: Running', 'Open');
    await waitUntil('the page of the server', () => panel.page.url().endsWith('#/servers/one'));
    await windowIsShown(panel);
    await clickTrayMenu(panel, 'Quit');
    expect(await leaves(panel)).toBe(0);
  });
});
