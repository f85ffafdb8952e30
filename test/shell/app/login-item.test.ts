import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  autostartFile,
  isHiddenStart,
  isLoginStart,
  lookAtLoginItem,
  setStartAtLogin,
  startHidden,
  type LoginItemOptions,
} from '../../../electron/shell/app/login-item.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { createFakeClock } from '../../core/fake-clock.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Settings = Parameters<LoginItemOptions['app']['setLoginItemSettings']>[0];

let home: string;
beforeEach(() => (home = tempFolder('login-item-')));

function createOptions(platform: NodeJS.Platform, changes: Partial<LoginItemOptions> = {}) {
  const told: Settings[] = [];
  const app = {
    isPackaged: true,
    setLoginItemSettings: (settings: Settings) => void told.push(settings),
    getLoginItemSettings: () => ({ openAtLogin: false }),
  };
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

describe('lookAtLoginItem', () => {
  type Item = ReturnType<LoginItemOptions['app']['getLoginItemSettings']>;
  const stateOf = (platform: NodeJS.Platform, item: Item) => {
    const { options } = createOptions(platform);
    const asked: unknown[] = [];
    const getLoginItemSettings = (given: unknown) => (asked.push(given), item);
    return lookAtLoginItem({ ...options, app: { ...options.app, getLoginItemSettings } }).then((state) => ({
      state,
      asked,
    }));
  };

  it.each<[NodeJS.Platform, Item, LoginState]>([
    ['win32', { openAtLogin: true, executableWillLaunchAtLogin: true }, 'on'],
    ['win32', { openAtLogin: true, executableWillLaunchAtLogin: false }, 'switched-off'],
    ['win32', { openAtLogin: false, executableWillLaunchAtLogin: false }, 'off'],
    ['darwin', { openAtLogin: true, executableWillLaunchAtLogin: false }, 'on'],
    ['darwin', { openAtLogin: true, status: 'enabled' }, 'on'],
    ['darwin', { openAtLogin: false, status: 'requires-approval' }, 'needs-approval'],
    ['darwin', { openAtLogin: false, status: 'not-registered' }, 'off'],
  ])('reads on %s what the system says of %o', async (platform, item, expected) => {
    expect((await stateOf(platform, item)).state).toBe(expected);
  });

  it('asks Windows for the very item that it writes', async () => {
    const { asked } = await stateOf('win32', { openAtLogin: true });
    expect(asked).toEqual([{ path: '/opt/panel/mcp-control-panel', args: ['--hidden'] }]);
  });

  it.each([
    ['Hidden=true\n', 'switched-off'],
    ['X-GNOME-Autostart-enabled=false\n', 'switched-off'],
    ['X-GNOME-Autostart-enabled=true\n', 'on'],
  ])('reads what a desktop wrote into the autostart file: %s', async (line, expected) => {
    const { options } = createOptions('linux');
    expect(await lookAtLoginItem(options)).toBe('off');
    mkdirSync(autostart(), { recursive: true });
    writeFileSync(
      join(autostart(), 'mcp-control-panel.desktop'),
      `[Desktop Entry]\nType=Application\n${line}`,
    );
    expect(await lookAtLoginItem(options)).toBe(expected);
  });

  it('finds on Linux what was written there, and knows of nothing in a run from the source', async () => {
    const { options } = createOptions('linux');
    await setStartAtLogin(true, options);
    expect(await lookAtLoginItem(options)).toBe('on');
    expect(await lookAtLoginItem({ ...options, app: { ...options.app, isPackaged: false } })).toBe('unknown');
  });
});

describe('a hidden start', () => {
  it('is asked for by an argument, or by macOS', () => {
    expect(isHiddenStart(['/opt/panel', '.'], false)).toBe(false);
    expect(isHiddenStart(['/opt/panel', '.', '--hidden'], false)).toBe(true);
    expect(isHiddenStart(['/Applications/Panel'], true)).toBe(true);
  });

  it('is one at login, unless a client has asked for it', () => {
    expect(isLoginStart(['/opt/panel', '--hidden'], false)).toBe(true);
    expect(isLoginStart(['/Applications/Panel'], true)).toBe(true);
    expect(isLoginStart(['/opt/panel'], false)).toBe(false);
    expect(isLoginStart(['/opt/panel', '--hidden', '--for-client'], false)).toBe(false);
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
  void startHidden(
    clock,
    async () => hasTray,
    () => (opened += 1),
  );
  return { clock, opened: () => opened, setTray: () => (hasTray = true) };
}

const valueOf = (file: string, key: string) =>
  file
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1);

/** Reads a command line as the specification says, step by step in its own order. */
function readCommand(exec: string): string[] {
  const unescaped = exec.replace(
    /\\([snrt\\])/g,
    (_all, letter: string) => ({ s: ' ', n: '\n', r: '\r', t: '\t', '\\': '\\' })[letter] ?? '',
  );
  const words = unescaped.match(/"(?:[^"\\]|\\[^])*"|[^ ]+/g) ?? [];
  return words.map((word) =>
    (word.startsWith('"') ? word.slice(1, -1).replace(/\\(["`$\\])/g, '$1') : word).replaceAll('%%', '%'),
  );
}

describe('autostartFile', () => {
  it('is the file that desktops expect', () => {
    expect(autostartFile('/opt/MCP Control Panel/mcp-control-panel', '--hidden')).toBe(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Name=MCP Control Panel',
        'Comment=Supervises Model Context Protocol servers',
        'TryExec=/opt/MCP Control Panel/mcp-control-panel',
        'Exec="/opt/MCP Control Panel/mcp-control-panel" --hidden',
        'Terminal=false',
        'X-GNOME-Autostart-enabled=true',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['/opt/app', '/opt/app'],
    ['/opt/100%', '/opt/100%%'],
    ['/opt/$HOME', '"/opt/\\\\$HOME"'],
    ['/opt/`id`', '"/opt/\\\\`id\\\\`"'],
    ['/opt/"quoted"', '"/opt/\\\\"quoted\\\\""'],
    ['/opt/back\\slash', '"/opt/back\\\\\\\\slash"'],
    ['/opt/two\nlines', '"/opt/two\\nlines"'],
    ['/opt/;rm -rf ~', '"/opt/;rm -rf ~"'],
  ])('quotes %j', (program, exec) => {
    expect(valueOf(autostartFile(program), 'Exec')).toBe(exec);
  });

  it('is read back as what was meant, whatever the path holds, and has one line per key', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((path) => !/[=\0]/.test(path));
    const args = fc.array(fc.string({ unit: 'grapheme' }).filter((arg) => !arg.includes('\0')));
    fc.assert(
      fc.property(text, args, (path, rest) => {
        const file = autostartFile(`/${path}`, ...rest);
        expect(readCommand(valueOf(file, 'Exec') ?? '')).toEqual([`/${path}`, ...rest]);
        expect(file.split('\n')).toHaveLength(9);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('refuses a path that no desktop entry may hold', () => {
    expect(() => autostartFile('/opt/a=b/app')).toThrow('"="');
  });
});
