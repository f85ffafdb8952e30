import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineAddressOf } from '../../../../electron/core/platform/elsewhere/engine-address.ts';
import { nameOfPlace } from '../../../../shared/run-host.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { addContext } from '../containers/docker-context.ts';

const at = (host: string, env: Readonly<Record<string, string>> = {}) =>
  engineAddressOf({ engine: 'docker', host }, env);

describe('the address of an engine elsewhere', () => {
  it.each([
    ['unix:///run/docker.sock', { kind: 'socket', socketPath: '/run/docker.sock' }],
    ['tcp://far:2375', { kind: 'tcp', host: 'far', port: 2375 }],
  ])('is read from %s', async (host, address) => {
    expect(await at(host)).toEqual(address);
  });

  it.each([
    ['ssh://far', ['--', 'far', 'docker', 'system', 'dial-stdio']],
    ['ssh://me@far:2222', ['-l', 'me', '-p', '2222', '--', 'far', 'docker', 'system', 'dial-stdio']],
    ['ssh://far/run/d.sock', ['--', 'far', 'docker', '--host', 'unix:///run/d.sock', 'system', 'dial-stdio']],
    ['ssh://-oProxyCommand=x@far', ['-l', '-oProxyCommand=x', '--', 'far', 'docker', 'system', 'dial-stdio']],
  ])('leads %s through the words of ssh', async (host, words) => {
    const address = await at(host);
    const all = address.kind === 'ssh' ? address.words : [];
    expect(all.slice(0, 3)).toEqual(['-T', '-o', 'BatchMode=yes']);
    expect(all.slice(-words.length)).toEqual(words);
  });

  it('is that of a context, with its certificates', async () => {
    const folder = tempFolder('docker-config-');
    const env = { DOCKER_CONFIG: folder };
    const files = { 'ca.pem': 'a', 'cert.pem': 'c', 'key.pem': 'k' };
    addContext(folder, 'far', { Host: 'tcp://far:2376' }, files);
    addContext(folder, 'near', { Host: 'ssh://me@near' });
    addContext(folder, 'trusting', { Host: 'tcp://far:2376', SkipTLSVerify: true });
    const buffers = { ca: Buffer.from('a'), cert: Buffer.from('c'), key: Buffer.from('k') };
    const read = (context: string) => engineAddressOf({ engine: 'docker', context }, env);
    expect(await read('far')).toEqual({
      ...{ kind: 'tcp', host: 'far', port: 2376 },
      tls: { ...buffers, rejectUnauthorized: true },
    });
    expect(await read('near')).toMatchObject({ kind: 'ssh' });
    expect(await read('trusting')).toMatchObject({ tls: { rejectUnauthorized: false } });
    await expect(read('nowhere')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('has the certificates of the docker client where its environment asks for them', async () => {
    const folder = tempFolder('docker-config-');
    writeFileSync(join(folder, 'ca.pem'), 'a');
    const env = { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: folder };
    expect(await at('tcp://far:2376', env)).toMatchObject({ tls: { ca: Buffer.from('a') } });
  });

  it.each(['far', 'http://far', 'ssh://', 'ssh://far/a;b', 'tcp://far'])(
    'is refused for %s',
    async (host) => {
      await expect(at(host)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    },
  );

  it('is named without the person who signs in', () => {
    expect(nameOfPlace({ engine: 'docker', host: 'ssh://me@far:22' })).toBe('ssh://far:22');
    expect(nameOfPlace({ engine: 'docker', context: 'far' })).toBe('far');
  });
});
