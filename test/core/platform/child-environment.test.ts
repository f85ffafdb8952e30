import { describe, expect, it } from 'vitest';
import { childEnvironment, RUN_MARKER_NAME } from '../../../electron/core/platform/child-environment.ts';

const marker = { [RUN_MARKER_NAME]: 'run-1' };
const build = (options: Partial<Parameters<typeof childEnvironment>[0]>) =>
  childEnvironment({ inherited: {}, entry: {}, marker: 'run-1', ...options });

describe('childEnvironment', () => {
  it('marks the run', () => {
    expect(build({ inherited: { PATH: '/bin' } })).toEqual({ PATH: '/bin', ...marker });
  });

  it("lets the entry's own values win, but never over the marker", () => {
    const entry = { PATH: '/own', NODE_OPTIONS: '--trace-warnings', [RUN_MARKER_NAME]: 'forged' };
    expect(build({ inherited: { PATH: '/bin' }, entry })).toEqual({
      PATH: '/own',
      NODE_OPTIONS: '--trace-warnings',
      ...marker,
    });
  });

  it('says in PWD where the child starts, where there is a PWD', () => {
    const inherited = { PWD: '/of/the/panel' };
    expect(build({ inherited, cwd: '/home/me' })).toEqual({ PWD: '/home/me', ...marker });
    expect(build({ inherited, cwd: '/home/me', entry: { PWD: '/own' } })).toEqual({ PWD: '/own', ...marker });
    expect(build({ cwd: '/home/me' })).toEqual(marker);
  });

  it('lets the entry win on Windows in whichever case it writes a name, and has each name once', () => {
    const inherited = { Path: 'C:\\Windows', ComSpec: 'cmd', PWD: 'C:\\' };
    const entry = { PATH: 'C:\\own', comspec: 'other', mcp_control_panel_run: 'forged' };
    expect(build({ inherited, entry, platform: 'win32' })).toEqual({
      PATH: 'C:\\own',
      comspec: 'other',
      PWD: 'C:\\',
      ...marker,
    });
    const other = { inherited: { PATH: 'C:\\Windows' }, entry: { Path: 'C:\\own' } };
    expect(build({ ...other, platform: 'win32' })).toEqual({ Path: 'C:\\own', ...marker });
    expect(build({ ...other, platform: 'linux' })).toEqual({
      PATH: 'C:\\Windows',
      Path: 'C:\\own',
      ...marker,
    });
  });
});
