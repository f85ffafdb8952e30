import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  userEnvironment,
  widerPath,
  withoutNpmFolders,
} from '../../../electron/core/platform/user-environment.ts';

const fromShell = (path: string, variables: Record<string, string> = {}) =>
  ({ path, source: 'shell', variables: new Map(Object.entries(variables)) }) as const;
const GYP = '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin';
const BLOCK = `/src/panel/node_modules/.bin:/src/node_modules/.bin:/node_modules/.bin:${GYP}`;

describe('personEnvironment', () => {
  it('passes on what a program needs', () => {
    const parent = { PATH: '/bin', HOME: '/home/me', LANG: 'C.UTF-8', TERM: undefined };
    expect(userEnvironment(parent)).toEqual({ PATH: '/bin', HOME: '/home/me', LANG: 'C.UTF-8' });
  });

  it.each([
    ...[
      'ELECTRON_RUN_AS_NODE',
      'ELECTRON_EXEC_PATH',
      'CHROME_DESKTOP',
      'GDK_BACKEND',
      'NO_AT_BRIDGE',
      'VITE_DEV_SERVER_URL',
    ],
    ...['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_UNIQUE_ID', 'INIT_CWD', 'OLDPWD'],
    ...['npm_config_registry', 'npm_lifecycle_event', 'NPM_TOKEN'],
    ...['MCP_CONTROL_PANEL_HOME', 'MCP_CONTROL_PANEL_TEST', 'MCP_CONTROL_PANEL_REPLACED'],
  ])('does not pass on %s', (name) => {
    expect(userEnvironment({ [name]: 'x' })).toEqual({});
  });

  it.each([
    'NODE_ENV',
    'NODE_EXTRA_CA_CERTS',
    'NODE_PATH',
    'NODE',
    'EDITOR',
    'MY_npm_thing',
    'SSH_AUTH_SOCK',
  ])('passes on %s', (name) => {
    expect(userEnvironment({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });

  it('drops what npm puts in the place of the person’s own, where it was npm', () => {
    const parent = {
      npm_execpath: '/npm-cli.js',
      NODE: '/node',
      EDITOR: 'vi',
      COLOR: '0',
      _: '/usr/bin/npm',
    };
    expect(userEnvironment(parent)).toEqual({});
  });

  it('has the PATH of the login shell letter for letter, whatever ours is', () => {
    const path = '/me/bin:/usr/bin::/me/bin:./node_modules/.bin';
    expect(userEnvironment({ PATH: `${BLOCK}:/venv/bin:/usr/bin` }, fromShell(path))).toEqual({
      PATH: path,
    });
  });

  it('has of the variables that it must not take from us those that the login shell has', () => {
    const variables = { NODE_OPTIONS: '--use-system-ca', npm_config_prefix: '/me/.npm', EDITOR: 'emacs' };
    const parent = { npm_execpath: '/n', NODE_OPTIONS: '--inspect', npm_config_prefix: '/usr', EDITOR: 'vi' };
    expect(userEnvironment(parent, fromShell('/bin', variables))).toEqual({ ...variables, PATH: '/bin' });
  });

  it('takes from the shell nothing that is the panel’s own, and nothing that it may pass on itself', () => {
    const names = ['NODE_OPTIONS', 'EDITOR', 'npm_config_x', 'MCP_CONTROL_PANEL_HOME', 'API_KEY'];
    const variables = Object.fromEntries(names.map((name) => [name, 'x']));
    const taken = Object.keys(userEnvironment({}, fromShell('/bin', variables)));
    expect(taken).toEqual(['NODE_OPTIONS', 'EDITOR', 'npm_config_x', 'PATH']);
  });

  it('has known folders of programs beside our PATH where no shell told: behind that of a terminal, before any other', () => {
    const known = { path: '/me/.local/bin:/usr/bin', source: 'fallback' } as const;
    const parent = { PATH: `${BLOCK}:/usr/bin:/bin` };
    expect(userEnvironment(parent, known)['PATH']).toBe('/me/.local/bin:/usr/bin:/bin');
    expect(userEnvironment({ ...parent, TERM: 'xterm' }, known)['PATH']).toBe('/usr/bin:/bin:/me/.local/bin');
    expect(userEnvironment(parent, { source: 'none' })['PATH']).toBe('/usr/bin:/bin');
    expect(userEnvironment({}, known)).toEqual({ PATH: known.path });
  });

  it('takes back what the launcher has set', () => {
    const parent = {
      DISPLAY: ':7',
      XDG_SESSION_TYPE: 'x11',
      MCP_CONTROL_PANEL_REPLACED: '{"DISPLAY":null,"XDG_SESSION_TYPE":"tty"}',
    };
    expect(userEnvironment(parent)).toEqual({ XDG_SESSION_TYPE: 'tty' });
  });

  it.each(['', '{', '7', 'null', '[]', '"DISPLAY"'])(
    'keeps the display when the record says %s',
    (record) => {
      expect(userEnvironment({ DISPLAY: ':7', MCP_CONTROL_PANEL_REPLACED: record })).toEqual({
        DISPLAY: ':7',
      });
    },
  );

  it('gives the desktop back its name, which Electron changes for itself', () => {
    const parent = { XDG_CURRENT_DESKTOP: 'Unity', ORIGINAL_XDG_CURRENT_DESKTOP: 'KDE' };
    expect(userEnvironment(parent)).toEqual({ XDG_CURRENT_DESKTOP: 'KDE' });
    expect(userEnvironment({ XDG_CURRENT_DESKTOP: 'GNOME' })).toEqual({ XDG_CURRENT_DESKTOP: 'GNOME' });
    expect(userEnvironment({ XDG_CURRENT_DESKTOP: 'undefined' })).toEqual({});
  });

  it('has no address of a session bus that Chromium made up for want of one', () => {
    const address = 'unix:path=/run/user/1000/bus';
    expect(userEnvironment({ DBUS_SESSION_BUS_ADDRESS: 'disabled:' })).toEqual({});
    expect(userEnvironment({ DBUS_SESSION_BUS_ADDRESS: address })).toEqual({
      DBUS_SESSION_BUS_ADDRESS: address,
    });
  });

  it('drops what an AppImage added', () => {
    const parent = {
      APPDIR: '/tmp/.mount_x',
      APPIMAGE: '/home/me/panel.AppImage',
      ARGV0: 'panel',
      OWD: '/home/me',
      PATH: '/tmp/.mount_x/usr/bin:/usr/bin',
      LD_LIBRARY_PATH: '/tmp/.mount_x/usr/lib',
      HOME: '/home/me',
    };
    expect(userEnvironment(parent, undefined, 'linux')).toEqual({ PATH: '/usr/bin', HOME: '/home/me' });
  });

  it('keeps everything when APPDIR is set to nothing', () => {
    expect(userEnvironment({ APPDIR: '', HOME: '/home/me' })).toMatchObject({ HOME: '/home/me' });
  });
});

describe('widerPath', () => {
  it('holds what the login shell’s PATH lacks of ours, behind it, and nothing of npm’s', () => {
    const parent = { PATH: `${BLOCK}:/nix/node/bin:/usr/bin` };
    expect(widerPath(parent, fromShell('/usr/bin:/usr/bin'))).toBe('/usr/bin:/usr/bin:/nix/node/bin');
  });
});

describe('withoutNpmFolders', () => {
  it.each([
    ['the block of npm', `${BLOCK}:/usr/bin:/bin`, '/usr/bin:/bin'],
    ['those of nested scripts', `/a/node_modules/.bin:${GYP}:${BLOCK}:/bin`, '/bin'],
    ['a folder of the block wherever it stands', `${BLOCK}:/bin:/src/panel/node_modules/.bin`, '/bin'],
    ['the block of pnpm', `/a/node_modules/.bin:/opt/pnpm/dist/node-gyp-bin:/bin`, '/bin'],
    [
      'the block on Windows',
      'C:\\a\\node_modules\\.bin;C:\\node_modules\\.bin;C:\\npm\\lib\\node-gyp-bin;C:\\Windows',
      'C:\\Windows',
    ],
    ['nothing else', '/a:/a::/b', '/a:/a::/b'],
    [
      'no .bin that a person has',
      '/me/node_modules/.bin:./node_modules/.bin:/bin',
      '/me/node_modules/.bin:./node_modules/.bin:/bin',
    ],
    ['no .bin of a person behind the block', `${BLOCK}:./node_modules/.bin:/bin`, './node_modules/.bin:/bin'],
    ['everything of a PATH that is nothing else', BLOCK, ''],
  ])('takes away %s', (_, path, rest) => {
    expect(withoutNpmFolders(path)).toBe(rest);
  });

  it('gives back any PATH that npm has put its block before', () => {
    const folder = fc.stringMatching(/^\/[a-z./]{0,12}$/).filter((text) => !text.endsWith('node-gyp-bin'));
    fc.assert(
      fc.property(fc.array(folder), (folders) => {
        const path = folders.join(':');
        expect(withoutNpmFolders(`${BLOCK}:${path}`)).toBe(path);
      }),
    );
  });
});
