import { describe, expect, it } from 'vitest';
import { npmCommand } from '../../scripts/lib/npm-command.mjs';

describe('npmCommand', () => {
  it('uses the npm that runs us, with its own Node', () => {
    const env = { npm_execpath: '/opt/npm/bin/npm-cli.js', npm_node_execpath: '/opt/node' };
    expect(npmCommand(['ci'], env)).toMatchObject({
      command: '/opt/node',
      args: ['/opt/npm/bin/npm-cli.js', 'ci'],
    });
  });

  it('uses the npm on the PATH otherwise, also when another package manager runs us', () => {
    expect(npmCommand(['ci'], {}, 'linux')).toMatchObject({
      command: 'npm',
      args: ['ci'],
      options: { shell: false },
    });
    expect(npmCommand(['ci'], { npm_execpath: '/opt/yarn.js' }, 'linux').command).toBe('npm');
    expect(npmCommand(['ci'], {}, 'win32')).toMatchObject({ command: 'npm.cmd', options: { shell: true } });
  });

  it('drops what an outer npm was told for itself and keeps what the person configured', () => {
    const env = {
      npm_config_loglevel: 'silent',
      NPM_CONFIG_DRY_RUN: 'true',
      npm_config_registry: 'r',
      PATH: '/bin',
    };
    expect(npmCommand([], env).options.env).toEqual({ npm_config_registry: 'r', PATH: '/bin' });
  });
});
