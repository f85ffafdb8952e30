import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { panelHome } from '../../scripts/lib/home.mjs';

const userHome = resolve('/people/ada');

describe('panelHome', () => {
  it('is MCP_CONTROL_PANEL_HOME when that is set, made absolute', () => {
    const wanted = resolve('/panels/one');
    expect(panelHome({ MCP_CONTROL_PANEL_HOME: wanted }, { userHome })).toBe(wanted);
    expect(panelHome({ MCP_CONTROL_PANEL_HOME: 'here' }, { userHome })).toBe(resolve('here'));
  });

  it.each([
    ['linux', {}, join(userHome, '.config', 'mcp-control-panel')],
    ['linux', { XDG_CONFIG_HOME: resolve('/etc/ada') }, join(resolve('/etc/ada'), 'mcp-control-panel')],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, join(userHome, '.config', 'mcp-control-panel')],
    [
      'darwin',
      { XDG_CONFIG_HOME: '/etc' },
      join(userHome, 'Library', 'Application Support', 'mcp-control-panel'),
    ],
    ['win32', { APPDATA: resolve('/roaming') }, join(resolve('/roaming'), 'mcp-control-panel')],
    ['win32', {}, join(userHome, 'AppData', 'Roaming', 'mcp-control-panel')],
  ])('is the usual place on %s with %o', (platform, env, expected) => {
    expect(panelHome({ ...env, MCP_CONTROL_PANEL_HOME: '' }, { platform, userHome })).toBe(expected);
  });
});
