import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHidden } from '../../../electron/shell/window/hidden-start.ts';
import {
  isHiddenStart,
  setStartAtLogin,
  type LoginItemOptions,
} from '../../../electron/shell/app/login-item.ts';
import { createFakeClock } from '../../core/fake-clock.ts';
import { skipOn } from '../../support/skip-on.ts';

type Settings = Parameters<LoginItemOptions['app']['setLoginItemSettings']>[0];

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'login-item-'))));
afterEach(() => rmSync(home, { recursive: true }));

function createOptions(platform: NodeJS.Platform, changes: Partial<LoginItemOptions> = {}) {
  const told: Settings[] = [];
  const app = { isPackaged: true, setLoginItemSettings: (settings: Settings) => void told.push(settings) };
  const environment = { HOME: home };
  return {
    told,
    options: { app, platform, executablePath: '/opt/panel/mcp-control-panel', environment, ...changes },
  };
}

const autostart = () => join(home, '.config/autostart');

describe('setStartAtLogin', () => {
  it('writes an autostart file on Linux, whole, and removes it again', async () => {
    const { options, told } = createOptions('linux');
    expect(await setStartAtLogin(true, options)).toBe(true);
    expect(readdirSync(autostart())).toEqual(['mcp-control-panel.desktop']);
    const file = readFileSync(join(autostart(), 'mcp-control-panel.desktop'), 'utf8');
    expect(file).toContain('\nExec=/opt/panel/mcp-control-panel --hidden\n');
    expect(await setStartAtLogin(false, options)).toBe(true);
    expect(readdirSync(autostart())).toEqual([]);
    await setStartAtLogin(false, options);
    expect(told).toEqual([]);
  });

  it('removes what an earlier run was killed in the middle of writing', async () => {
    mkdirSync(autostart(), { recursive: true });
    writeFileSync(join(autostart(), 'mcp-control-panel.desktop.tmp'), '[Desktop');
    await setStartAtLogin(true, createOptions('linux').options);
    expect(readdirSync(autostart())).toEqual(['mcp-control-panel.desktop']);
  });

  it(
    'says what could not be written, why, and what to do',
    skipOn('win32', 'login items of Linux are files'),
    async () => {
      const file = join(autostart(), 'mcp-control-panel.desktop');
      mkdirSync(file, { recursive: true });
      await expect(setStartAtLogin(true, createOptions('linux').options)).rejects.toMatchObject({
        message: expect.stringMatching(
          /mcp-control-panel.desktop was not written: .* try again\.$/,
        ) as string,
        path: file,
      });
      expect(readdirSync(autostart())).toEqual(['mcp-control-panel.desktop']);
    },
  );

  it('starts the AppImage itself, not what it has mounted, from where the configuration is', async () => {
    const environment = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'cfg'),
      APPIMAGE: '/apps/Panel 1.AppImage',
    };
    await setStartAtLogin(true, createOptions('linux', { environment }).options);
    const file = readFileSync(join(home, 'cfg/autostart/mcp-control-panel.desktop'), 'utf8');
    expect(file).toContain('\nExec="/apps/Panel 1.AppImage" --hidden\n');
  });

  it.each(['darwin', 'win32'] as const)('leaves it to the system on %s', async (platform) => {
    const { options, told } = createOptions(platform);
    await setStartAtLogin(true, options);
    await setStartAtLogin(false, options);
    const path = '/opt/panel/mcp-control-panel';
    expect(told).toEqual([
      { openAtLogin: true, path, args: ['--hidden'] },
      { openAtLogin: false, path, args: ['--hidden'] },
    ]);
  });

  it.each(['linux', 'darwin', 'win32'] as const)(
    'does nothing for a run from the source on %s',
    async (platform) => {
      const { options, told } = createOptions(platform);
      const unpackaged = { ...options, app: { ...options.app, isPackaged: false } };
      expect(await setStartAtLogin(true, unpackaged)).toBe(false);
      expect(told).toEqual([]);
      expect(existsSync(autostart())).toBe(false);
    },
  );
});

describe('a hidden start', () => {
  it('is asked for by an argument, or by macOS', () => {
    expect(isHiddenStart(['/opt/panel', '.'], false)).toBe(false);
    expect(isHiddenStart(['/opt/panel', '.', '--hidden'], false)).toBe(true);
    expect(isHiddenStart(['/Applications/Panel'], true)).toBe(true);
  });

  it('waits for a tray that comes later than the panel, and opens nothing then', async () => {
    const { clock, opened, setTray } = createHiddenStart();
    await clock.advance(5000);
    setTray();
    await clock.advance(60_000);
    expect(opened()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('opens a minimised window, once, where no tray comes', async () => {
    const { clock, opened } = createHiddenStart();
    await clock.advance(14_000);
    expect(opened()).toBe(0);
    for (let i = 0; i < 3; i += 1) await clock.advance(1000);
    expect(opened()).toBe(1);
  });
});

function createHiddenStart() {
  const clock = createFakeClock();
  let hasTray = false;
  let opened = 0;
  void startHidden({ clock, canHide: async () => hasTray, openMinimised: () => (opened += 1) });
  return { clock, opened: () => opened, setTray: () => (hasTray = true) };
}
