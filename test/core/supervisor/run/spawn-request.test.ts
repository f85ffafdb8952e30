import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  spawnRequestOf,
  type SpawnEnvironment,
} from '../../../../electron/core/supervisor/run/spawn-request.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HOST = fileURLToPath(new URL('spawn-request-host.ts', import.meta.url));
const run = promisify(execFile);

let base: string;
beforeEach(() => {
  base = tempFolder('spawn-request-');
});

function writeProgram(path: string, script: string): string {
  const file = join(base, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('spawnRequestOf', () => {
  const requestOf = (entry: Partial<StdioServerConfig>, surroundings: Partial<SpawnEnvironment> = {}) => {
    const panel = panelSettingsSchema.parse({});
    const config = {
      name: 'x',
      enabled: true,
      transport: 'stdio',
      command: 'tool',
      args: [],
      env: {},
      panel,
    } as const;
    return spawnRequestOf({ ...config, ...entry }, { parent: {}, home: '/home/me', ...surroundings }, 'm');
  };

  it("starts a server in the person's home folder, unless its entry names another", async () => {
    expect(await requestOf({})).toMatchObject({ cwd: '/home/me', isHome: true });
    expect(await requestOf({ cwd: '/srv' })).toMatchObject({ cwd: '/srv', isHome: false });
  });

  it('finds on Windows what was installed since the panel was started, and asks only when something is missing', async () => {
    const asked: string[] = [];
    const installed = 'C:\\Program Files\\nodejs';
    const windows: Partial<SpawnEnvironment> = {
      platform: 'win32',
      parent: { Path: 'C:\\Windows;C:\\venv' },
      home: 'C:\\Users\\ada',
      findProgram: ({ command, path = '' }) =>
        Promise.resolve(
          command === 'ready' || path.split(';').includes(installed) ? { file: command } : { code: 'ENOENT' },
        ),
      askAgain: () => {
        asked.push('registry');
        return Promise.resolve({ source: 'registry', path: `c:\\windows\\;${installed}` });
      },
    };
    expect(await requestOf({ command: 'ready' }, windows)).toMatchObject({
      env: { Path: 'C:\\Windows;C:\\venv' },
    });
    expect(asked).toEqual([]);
    expect(await requestOf({ command: 'npx' }, windows)).toMatchObject({
      found: { file: 'npx' },
      env: { Path: `C:\\Windows;C:\\venv;${installed}`, MCP_CONTROL_PANEL_RUN: 'm' },
    });
    expect(asked).toEqual(['registry']);
    for (const entry of [{ command: 'npx', env: { path: 'C:\\own' } }, { command: '.\\npx' }])
      expect(await requestOf(entry, windows)).toMatchObject({ found: { code: 'ENOENT' } });
    expect(asked).toEqual(['registry']);
  });

  describe('with a login shell', skipOn('win32', 'Windows has no login shell'), () => {
    const surroundings = () => ({
      parent: { PATH: `${join(base, 'nix')}:/usr/bin` },
      login: { path: `${join(base, 'login')}:/usr/bin`, source: 'shell' } as const,
    });
    const pathFor = async (entry: Partial<StdioServerConfig>) =>
      (await requestOf(entry, surroundings())).env['PATH'];

    it('has its PATH, also where ours leads to another program of that name', async () => {
      writeProgram('login/tool', '');
      writeProgram('nix/tool', '');
      expect(await pathFor({})).toBe(surroundings().login.path);
    });

    it('has the rest of our PATH behind it where only that leads to the command', async () => {
      writeProgram('nix/tool', '');
      expect(await pathFor({})).toBe(`${surroundings().login.path}:${join(base, 'nix')}`);
    });

    it('has its PATH where nothing leads to the command, or the entry has its own', async () => {
      expect(await pathFor({})).toBe(surroundings().login.path);
      writeProgram('nix/tool', '');
      expect(await pathFor({ env: { PATH: '/own' } })).toBe('/own');
      expect(await pathFor({ command: './tool' })).toBe(surroundings().login.path);
    });
  });
});

describe('a server of a panel that npm has started', skipOn('win32', 'Windows has no login shell'), () => {
  /**
   * Report of all that a server can tell apart; `tool` stands for node, of which there is one in the project
   * and one in the home.
   */
  const REPORT = 'pwd; echo "$PWD"; echo "$PATH"; tool; env | cut -d= -f1 | sort';

  it('has folder, PATH, programs and variables of a fresh login shell', async () => {
    const home = join(base, 'home');
    const project = join(base, 'clone');
    writeProgram('home/bin/tool', 'echo the tool of the person');
    writeProgram('clone/node_modules/.bin/tool', 'echo the tool of the project');
    writeFileSync(join(home, '.profile'), `PATH="${home}/bin:$PATH:$PATH"; export PATH; export EDITOR=ed\n`);
    const words = [process.execPath, HOST, 'sh', '-c', REPORT].map((word) => `'${word}'`).join(' ');
    // `exec` takes the shell of the script out of the way.
    const start = `exec ${words}`;
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'clone', scripts: { start } }));
    const session = { HOME: home, SHELL: '/bin/sh', LANG: 'C.UTF-8' };
    const terminal = {
      ...session,
      PATH: `${project}/node_modules/.bin:${process.env['PATH']}`,
      EDITOR: 'vi',
    };

    const { stdout } = await run('npm', ['start', '--silent'], { cwd: project, env: terminal });
    const fresh = await run('/bin/sh', ['-lc', `cd; ${REPORT}`], {
      cwd: project,
      env: { ...session, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    const isSame = (name: string) => !/^(_|OLDPWD|SHLVL|MCP_CONTROL_PANEL_RUN)$/.test(name);
    const linesOf = (text: string) => text.split('\n').filter(isSame);
    expect(linesOf(stdout)).toEqual(linesOf(fresh.stdout));
    expect(stdout).toContain('the tool of the person');
  });
});
