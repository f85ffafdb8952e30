import { describe, expect, it } from 'vitest';
import { childEnvironment, RUN_MARKER_NAME } from '../../../electron/core/platform/child-environment.ts';

const build = (
  parent: Record<string, string | undefined>,
  rest: { entry?: Record<string, string>; loginPath?: string } = {},
) => childEnvironment({ parent, entry: {}, marker: 'run-1', ...rest });
const marker = { [RUN_MARKER_NAME]: 'run-1' };

describe('childEnvironment', () => {
  it('passes on what a program needs, and marks the run', () => {
    const parent = { PATH: '/bin', HOME: '/home/me', LANG: 'C.UTF-8', TERM: undefined };
    expect(build(parent)).toEqual({ PATH: '/bin', HOME: '/home/me', LANG: 'C.UTF-8', ...marker });
  });

  it.each([
    'ELECTRON_RUN_AS_NODE',
    'ELECTRON_EXEC_PATH',
    'CHROME_DESKTOP',
    'NODE_OPTIONS',
    'NODE_CHANNEL_FD',
    'NODE_UNIQUE_ID',
    'npm_config_registry',
    'npm_lifecycle_event',
    'NPM_TOKEN',
    'INIT_CWD',
    'MCP_CONTROL_PANEL_HOME',
    'MCP_CONTROL_PANEL_TEST',
    'VITE_DEV_SERVER_URL',
  ])('does not pass on %s', (name) => {
    expect(build({ [name]: 'x' })).toEqual(marker);
  });

  it.each(['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_PATH', 'MY_npm_thing', 'SSH_AUTH_SOCK'])(
    'passes on %s',
    (name) => {
      expect(build({ [name]: 'x' })).toEqual({ [name]: 'x', ...marker });
    },
  );

  it("lets the entry's own values win, over the deny-list too, and never over the marker", () => {
    const entry = { PATH: '/own', NODE_OPTIONS: '--trace-warnings', [RUN_MARKER_NAME]: 'forged' };
    expect(build({ PATH: '/bin' }, { entry, loginPath: '/login' })).toEqual({
      PATH: '/own',
      NODE_OPTIONS: '--trace-warnings',
      ...marker,
    });
  });

  it('puts the PATH of the login shell first, without doubles and empty parts', () => {
    const path = (parent: Record<string, string>, loginPath: string) => build(parent, { loginPath })['PATH'];
    expect(path({ PATH: '/bin::/usr/bin' }, '/opt/bin:/bin')).toBe('/opt/bin:/bin:/usr/bin');
    expect(path({}, '/opt/bin')).toBe('/opt/bin');
    expect(path({ PATH: 'C:\\b;C:\\a' }, 'C:\\a;C:\\c')).toBe('C:\\a;C:\\c;C:\\b');
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
    expect(build(parent)).toEqual({ PATH: '/usr/bin', HOME: '/home/me', ...marker });
  });

  it('keeps everything when APPDIR is set to nothing', () => {
    expect(build({ APPDIR: '', HOME: '/home/me' })).toMatchObject({ HOME: '/home/me' });
  });
});
