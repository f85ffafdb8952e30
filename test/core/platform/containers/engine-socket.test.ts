import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEngineSocket } from '../../../../electron/core/platform/containers/engine-socket.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';
import { addContext } from './docker-context.ts';

const home = sharedFolder('engine-socket-');

addContext(join(home, '.docker'), 'desktop', { Host: 'unix:///home/desktop.sock' });
addContext(join(home, '.docker'), 'far', { Host: 'ssh://far' });
writeFileSync(join(home, '.docker/config.json'), JSON.stringify({ currentContext: 'desktop' }));

const find = (
  line: string,
  env: Readonly<Record<string, string>> = {},
  platform: NodeJS.Platform = 'linux',
) => {
  const [engine = '', ...options] = line.split(' ');
  return findEngineSocket({ engine: engine as 'docker', file: engine, options, env }, platform);
};

describe('the API of the engine that a client reaches', () => {
  it.each([
    ['docker', {}, { socketPath: '/var/run/docker.sock' }],
    ['docker', { HOME: home }, { socketPath: '/home/desktop.sock' }],
    ['docker', { HOME: home, DOCKER_CONTEXT: 'default' }, { socketPath: '/var/run/docker.sock' }],
    ['docker', { HOME: home, DOCKER_HOST: 'unix:///d.sock' }, { socketPath: '/d.sock' }],
    [
      'docker -c desktop',
      { HOME: home, DOCKER_HOST: 'unix:///d.sock' },
      { socketPath: '/home/desktop.sock' },
    ],
    ['docker --context=far', { HOME: home }, undefined],
    ['docker --context=constructor', { HOME: home }, undefined],
    ['docker -H unix:///h.sock', { DOCKER_HOST: 'unix:///d.sock' }, { socketPath: '/h.sock' }],
    ['docker -Hunix:///h.sock', {}, { socketPath: '/h.sock' }],
    ['docker --host=tcp://10.0.0.1:2375', {}, { host: '10.0.0.1', port: 2375 }],
    ['docker --tlsverify -H tcp://10.0.0.1:2376', {}, undefined],
    ['docker', { DOCKER_HOST: 'tcp://10.0.0.1:2376', DOCKER_TLS_VERIFY: '1' }, undefined],
    ['podman', { CONTAINER_HOST: 'unix:///p.sock' }, { socketPath: '/p.sock' }],
    ['podman --connection far', {}, undefined],
    ['nerdctl', {}, undefined],
  ])('is found for %s with %j', async (line, env, expected) => {
    expect(await find(line, env)).toEqual(expected);
  });

  it('is a named pipe on Windows', async () => {
    expect(await find('docker', {}, 'win32')).toEqual({ socketPath: String.raw`\\.\pipe\docker_engine` });
  });
});
