import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels();

interface SeenTray {
  readonly tooltip: string;
  readonly labels: string[];
  readonly icons: { readonly isEmpty: boolean; readonly width: number; readonly look: string }[];
}

/** Notes what the tray is told from now on: Electron itself has no way to ask. */
const watchTray = ({ app }: DrivenPanel) =>
  app.evaluate(({ Tray }) => {
    const seen: { tooltip: string; labels: string[]; icons: unknown[] } = {
      tooltip: '',
      labels: [],
      icons: [],
    };
    Object.assign(globalThis, { seenTray: seen });
    type Method = (this: unknown, value: unknown) => void;
    const methods = Tray.prototype as unknown as Record<string, Method>;
    const watch = (name: string, note: (value: unknown) => void) => {
      const original = methods[name];
      methods[name] = function (value) {
        note(value);
        original?.call(this, value);
      };
    };
    watch('setToolTip', (text) => (seen.tooltip = text as string));
    watch('setContextMenu', (value) => {
      const menu = value as Electron.Menu;
      Object.assign(globalThis, { trayMenu: menu });
      seen.labels = menu.items.map(({ type, label }) => (type === 'separator' ? '-' : label));
    });
    watch('setImage', (value) => {
      const image = value as Electron.NativeImage;
      seen.icons.push({ isEmpty: image.isEmpty(), width: image.getSize().width, look: image.toDataURL() });
    });
  });

const seenTray = ({ app }: DrivenPanel) =>
  app.evaluate(() => (globalThis as unknown as { seenTray: SeenTray }).seenTray);

/** Clicks an entry of the tray's menu, or of a server's submenu. */
const click = ({ app }: DrivenPanel, label: string, inner?: string) =>
  app.evaluate(
    (_electron, names) => {
      const { trayMenu } = globalThis as unknown as { trayMenu: Electron.Menu };
      const entry = trayMenu.items.find((item) => item.label === names.label);
      const target =
        names.inner === undefined ? entry : entry?.submenu?.items.find((item) => item.label === names.inner);
      if (target === undefined) throw new Error(`the menu has no ${names.label} ${names.inner ?? ''}`);
      (target.click as () => void)();
    },
    { label, inner },
  );

const tooltipBecomes = (panel: DrivenPanel, tooltip: string) =>
  waitUntil(`the tooltip "${tooltip}"`, async () => (await seenTray(panel)).tooltip === tooltip);

describe('the tray', () => {
  it('tells by tooltip, menu and icon how the servers are', async () => {
    const panel = await panels.launch({ servers: { good: fixtureServer(), bad: fixtureServer() } });
    await waitUntil(
      'both to run',
      () => panel.stdout().filter((line) => / running\b/.test(line)).length === 2,
    );
    await watchTray(panel);
    await panel.call('putServer', { name: 'missing', command: '/no/such/program' });
    await tooltipBecomes(panel, '2 running · 1 failed');
    const { labels, icons } = await seenTray(panel);
    expect(labels).toEqual([
      '⊗ missing: Failed',
      '● good: Running',
      '● bad: Running',
      '-',
      'Show window',
      'Quit',
    ]);
    expect(icons.length).toBeGreaterThan(0);
    expect(icons.every(({ isEmpty, width }) => !isEmpty && width === 22)).toBe(true);

    await panel.call('removeServer', 'missing');
    await tooltipBecomes(panel, '2 running');
    const looks = (await seenTray(panel)).icons.map(({ look }) => look);
    expect(looks.at(-1)).not.toBe(looks.at(0));
  });

  it('starts, stops and opens servers by its menu, shows the window, and quits', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await watchTray(panel);
    await panel.call('restartServer', 'one');
    await tooltipBecomes(panel, '1 running');
    await click(panel, '● one: Running', 'Stop');
    await tooltipBecomes(panel, '1 stopped');
    expect(panel.serverProcesses()).toEqual([]);
    await click(panel, '○ one: Stopped', 'Start');
    await tooltipBecomes(panel, '1 running');

    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await click(panel, '● one: Running', 'Open');
    await waitUntil('the page of the server', () => panel.page.url().endsWith('#/servers/one'));
    await waitUntil('the window', () =>
      panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true),
    );
    await click(panel, 'Quit');
    await waitUntil('the app to leave', () => panel.exitCode() !== undefined);
    expect(panel.exitCode()).toBe(0);
  });

  it('follows servers that are added and removed while the window is hidden', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await watchTray(panel);
    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    // One that does not start by itself, and so has no change of state that could tell of it.
    await panel.call('putServer', { name: 'idle', command: 'none', panel: { autoStart: false } });
    await tooltipBecomes(panel, '1 running · 1 stopped');
    await panel.call('removeServer', 'idle');
    await tooltipBecomes(panel, '1 running');
  });

  it('builds its menu anew only for what looks different', async () => {
    const panel = await panels.launch({ servers: { one: fixtureServer() } });
    await waitUntil('it to run', () => panel.stdout().some((line) => / running\b/.test(line)));
    await panel.page.waitForTimeout(500); // The tray follows a moment after the terminal.
    await panel.app.evaluate(({ Menu }) => {
      const counter = { count: 0 };
      Object.assign(globalThis, { menusBuilt: counter });
      const build = Menu.buildFromTemplate.bind(Menu);
      Menu.buildFromTemplate = (template) => {
        counter.count += 1;
        return build(template);
      };
    });
    const built = () =>
      panel.app.evaluate(() => (globalThis as unknown as { menusBuilt: { count: number } }).menusBuilt.count);
    await panel.page.waitForTimeout(2500); // Two or more ticks with new figures.
    expect(await built()).toBe(0);
    await panel.call('stopServer', 'one');
    await waitUntil('a new menu', async () => (await built()) > 0);
  });
});
