import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadedConfig } from '../../../electron/core/config/loaded-config.ts';
import { npxFolder } from '../../../electron/core/config/moving/copies/command-forms.ts';
import { enginesTopic } from '../../../electron/core/panel/topics/engines.ts';
import { CommandError, type RunCommand } from '../../../electron/core/platform/run-command.ts';
import { configOf } from '../../support/config-of.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const posixPaths = skipOn('win32', 'only POSIX paths are shared with a container');
const none: RunCommand = () => Promise.reject(new Error('nothing runs here'));

function given(options: {
  entry?: object;
  programs?: readonly string[];
  run?: RunCommand;
  userHome?: string;
}) {
  const { entry = { command: 'npx' }, programs = [], run = none, userHome = '/nowhere' } = options;
  const config = configOf(entry, 'files');
  return enginesTopic({
    file: { current: { servers: [config] } as unknown as LoadedConfig },
    machine: () =>
      Promise.resolve({
        environment: { PATH: '/bin', HOME: userHome },
        home: userHome,
        resolve: (path) => path,
        isFolder: () => Promise.resolve(false),
        findProgram: ({ command }) =>
          Promise.resolve(programs.includes(command) ? { file: `/bin/${command}` } : { code: 'ENOENT' }),
        platform: 'linux',
      }),
    run,
    parentEnvironment: { npm_config_cache: join(userHome, '.npm') },
    userHome,
  });
}

describe('container engines', () => {
  it('are those whose client is on this machine', async () => {
    expect(await given({ programs: ['podman'] }).find()).toEqual(['podman']);
    expect(await given({}).ask()).toEqual([]);
  });

  it('tell version and disk, or why they were not reached', async () => {
    const run: RunCommand = (file, [word]) => {
      if (file === '/bin/podman')
        return Promise.reject(
          new CommandError('podman failed: Command failed: podman info\nNo machine.\n', { exitCode: 125 }),
        );
      return Promise.resolve(word === 'system' ? 'Images\t1.2GB\nContainers\t0B\n' : '28.2.1\n');
    };
    expect(await given({ programs: ['docker', 'podman'], run }).ask()).toEqual([
      { engine: 'docker', version: '28.2.1', imagesSize: '1.2GB' },
      { engine: 'podman', problem: 'No machine.' },
    ]);
  });

  it('are named as mute where their client never returns', async () => {
    const run: RunCommand = () => Promise.reject(new CommandError('docker failed: Command failed', {}));
    const [docker] = await given({ programs: ['docker'], run }).ask();
    expect(docker).toEqual({ engine: 'docker', problem: 'no answer within 5 s' });
  });

  it('are reached even where they do not tell their disk', async () => {
    const run: RunCommand = (_, [word]) =>
      word === 'system' ? Promise.reject(new Error('too slow')) : Promise.resolve('4.3.1\n');
    expect(await given({ programs: ['podman'], run }).ask()).toEqual([
      { engine: 'podman', version: '4.3.1' },
    ]);
  });
});

describe('engines elsewhere', () => {
  it('are the contexts that lead to other machines, and those that servers run on', async () => {
    const home = tempFolder();
    for (const [Name, Host] of [
      ['near', 'unix:///run/docker.sock'],
      ['far', 'ssh://me@far'],
      ['broken', 1],
    ]) {
      const folder = join(home, '.docker', 'contexts', 'meta', String(Name));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'meta.json'), JSON.stringify({ Name, Endpoints: { docker: { Host } } }));
    }
    const runOn = { engine: 'docker', host: 'tcp://other:2376' };
    const entry = { command: 'docker', args: ['run', '-i', 'mcp/a'], panel: { runOn } };
    const { places } = await given({ entry, userHome: home }).needs('files');
    expect(places).toEqual([{ engine: 'docker', context: 'far' }, runOn]);
  });
});

describe('what a server needs in a container', () => {
  it('is the version that npx has installed, and the paths that exist', posixPaths, async () => {
    const home = tempFolder('engines-');
    const installed = join(home, '.npm', '_npx', npxFolder('mcp-files'), 'node_modules', 'mcp-files');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{"version":"1.2.3"}');
    const entry = { command: 'npx', args: ['-y', 'mcp-files', home, `${home}/gone`] };
    expect(await given({ entry, userHome: home }).needs('files')).toEqual({
      version: '1.2.3',
      paths: [home],
      places: [],
    });
  });

  it('is nothing for a server that is not there', async () => {
    expect(await given({}).needs('other')).toEqual({ paths: [], places: [] });
  });
});
