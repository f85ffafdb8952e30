import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../e2e/support/wait-until.ts';

const run = promisify(execFile);

export type Theme = 'light' | 'dark';

/** Height of a panel in the upper left corner of the screen, with nothing on it but the tray. */
const PANEL_HEIGHT = 24;
/** Depth without a limit. */
const MENU_DEPTH = '-1';
const backgrounds: Readonly<Record<Theme, number>> = { light: 0.95, dark: 0.16 };

/** Tools that are needed beside Xvfb, each with its package on Debian and Ubuntu. */
const tools = [
  { command: 'dbus-run-session', package: 'dbus' },
  { command: 'gdbus', package: 'libglib2.0-bin' },
  { command: 'xfce4-panel', package: 'xfce4-panel' },
  { command: 'import', package: 'imagemagick' },
  { command: 'convert', package: 'imagemagick' },
];

/** Packages that are missing for these pictures. */
export async function missingPackages(): Promise<string[]> {
  const found = await Promise.all(
    tools.map(({ command }) =>
      run('sh', ['-c', 'command -v "$0"', command]).then(
        () => true,
        () => false,
      ),
    ),
  );
  return [...new Set(tools.filter((_tool, i) => !found[i]).map((tool) => tool.package))];
}

/**
 * Environment of a session, from its bus on, in which the panel and the app have that theme. Writes into
 * `folder`.
 */
export function desktopEnvironment(theme: Theme, folder: string): Record<string, string> {
  const config = join(folder, `config-${theme}`);
  const channel = join(config, 'xfce4/xfconf/xfce-perchannel-xml');
  mkdirSync(channel, { recursive: true });
  writeFileSync(join(channel, 'xfce4-panel.xml'), panelSettings(backgrounds[theme]));
  return { XDG_CONFIG_HOME: config, GTK_THEME: theme === 'dark' ? 'Adwaita:dark' : 'Adwaita' };
}

/** Starts the panel of Xfce and waits until it takes tray icons. The caller ends it. */
export async function startXfcePanel(): Promise<ChildProcess> {
  const panel = spawn('xfce4-panel', ['--disable-wm-check', '--sm-client-disable'], { stdio: 'ignore' });
  await waitUntil('the tray', async () => (await statusNotifierItems()) !== undefined);
  return panel;
}

function panelSettings(grey: number): string {
  const property = (name: string, type: string, value: string | number | boolean) =>
    `<property name="${name}" type="${type}" value="${value}"/>`;
  const colour = [grey, grey, grey, 1].map((part) => `<value type="double" value="${part}"/>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  ${property('configver', 'int', 2)}
  <property name="panels" type="array">
    <value type="int" value="1"/>
    ${property('dark-mode', 'bool', grey < 0.5)}
    <property name="panel-1" type="empty">
      ${property('position', 'string', 'p=6;x=0;y=0')}
      ${property('position-locked', 'bool', true)}
      ${property('size', 'uint', PANEL_HEIGHT)}
      ${property('length', 'uint', 10)}
      ${property('icon-size', 'uint', 22)}
      ${property('background-style', 'uint', 1)}
      <property name="background-rgba" type="array">${colour}</property>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray">
      ${property('icon-size', 'int', 22)}
      ${property('square-icons', 'bool', true)}
      ${property('single-row', 'bool', true)}
    </property>
  </property>
</channel>
`;
}

/** Takes a picture of the panel's corner, four times as large, for people to look at single pixels. */
export async function photographPanel(path: string, width = 34): Promise<void> {
  const region = `${width}x${PANEL_HEIGHT}+0+0`;
  const crop = ['-window', 'root', '-crop', region, '+repage'];
  await run('import', [...crop, '-filter', 'point', '-resize', '400%', path]);
}

/** Joins several pictures into one, side by side. */
export async function joinPictures(paths: readonly string[], path: string): Promise<void> {
  await run('convert', [...paths, '+append', '-strip', path]);
}

/** Item in the tray, as the desktop reaches it. */
export interface TrayItem {
  readonly destination: string;
  readonly path: string;
}

const callBus = async (destination: string, path: string, method: string, ...args: string[]) => {
  const target = ['--session', '--dest', destination, '--object-path', path, '--method', method];
  return (await run('gdbus', ['call', ...target, '--', ...args])).stdout;
};
const getProperty = (item: TrayItem, holder: string, name: string) =>
  callBus(item.destination, item.path, 'org.freedesktop.DBus.Properties.Get', holder, name);

/** Items in the tray; undefined while there is no tray. */
async function statusNotifierItems(): Promise<TrayItem[] | undefined> {
  const watcher = { destination: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' };
  try {
    const text = await getProperty(watcher, watcher.destination, 'RegisteredStatusNotifierItems');
    return [...text.matchAll(/'([^'/]+)(\/[^']*)'/g)].map(([, destination = '', path = '']) => ({
      destination,
      path,
    }));
  } catch {
    return undefined; // Nobody has that name on the bus yet.
  }
}

/** Item in the tray, once it is there. */
export function trayItem(): Promise<TrayItem> {
  return waitUntil('an item in the tray', async () => (await statusNotifierItems())?.[0]);
}

/** Tooltip of the item. */
export async function tooltipOf(item: TrayItem): Promise<string> {
  return getProperty(item, 'org.kde.StatusNotifierItem', 'ToolTip');
}

interface MenuEntry {
  readonly id: string;
  readonly label: string;
}

/** Clicks an entry of the item's menu, through the bus as a desktop does: the first `label` at or after `below`. */
export async function clickMenu(item: TrayItem, below: string, label: string): Promise<void> {
  const menu = await menuOf(item);
  // The menu follows the servers a moment later.
  const entry = await waitUntil(`${label} below ${below} in the menu`, async () => {
    const entries = await menuEntries(menu);
    const start = entries.findIndex((candidate) => candidate.label === below);
    return start >= 0 && entries.slice(start).find((candidate) => candidate.label === label);
  });
  await callBus(menu.destination, menu.path, 'com.canonical.dbusmenu.Event', entry.id, 'clicked', '<0>', '0');
}

async function menuOf(item: TrayItem): Promise<TrayItem> {
  const text = await getProperty(item, 'org.kde.StatusNotifierItem', 'Menu');
  return { destination: item.destination, path: /'(\/[^']*)'/.exec(text)?.[1] ?? '' };
}

/** Entries of the menu, those of submenus after their parents. */
async function menuEntries(menu: TrayItem): Promise<MenuEntry[]> {
  const text = await callBus(
    menu.destination,
    menu.path,
    'com.canonical.dbusmenu.GetLayout',
    '0',
    MENU_DEPTH,
    '@as []',
  );
  return [...text.matchAll(/\((\d+), \{([^{}]*)\}/g)].map(([, id = '', properties = '']) => ({
    id,
    label: /'label': <'([^']*)'>/.exec(properties)?.[1] ?? '',
  }));
}
