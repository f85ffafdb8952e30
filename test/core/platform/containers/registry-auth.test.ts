import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageNameOf, registryAuthOf } from '../../../../electron/core/platform/containers/registry-auth.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HUB = 'https://index.docker.io/v1/';

describe('the name of an image', () => {
  it.each([
    ['box', 'box', 'latest', HUB],
    ['mcp/box:2', 'mcp/box', '2', HUB],
    ['docker.io/library/node:22', 'docker.io/library/node', '22', HUB],
    ['localhost/box', 'localhost/box', 'latest', 'localhost'],
    ['127.0.0.1:5000/box', '127.0.0.1:5000/box', 'latest', '127.0.0.1:5000'],
    ['ghcr.io/me/box:1@sha256:abc', 'ghcr.io/me/box', 'sha256:abc', 'ghcr.io'],
  ])('%s', (image, name, tag, registry) => {
    const { query, registry: found } = imageNameOf(image);
    expect([...new URLSearchParams(query).values(), found]).toEqual([name, tag, registry]);
  });
});

describe('the sign-in at a registry', () => {
  async function authOf(
    settings: string,
    helper: (program: string) => Promise<string> = () => Promise.reject(new Error('none')),
  ) {
    const folder = tempFolder('docker-settings-');
    writeFileSync(join(folder, 'config.json'), settings);
    const auth = await registryAuthOf('ghcr.io', { folder, askHelper: helper });
    return auth === undefined
      ? undefined
      : (JSON.parse(Buffer.from(auth, 'base64url').toString()) as unknown);
  }
  const kept = (Username: string) => () =>
    Promise.resolve(JSON.stringify({ ServerURL: 'ghcr.io', Username, Secret: 's' }));

  it('is what a helper keeps, that of the registry before that of all', async () => {
    const asked: string[] = [];
    const helper = (program: string) => {
      asked.push(program);
      return kept('me')();
    };
    const settings = JSON.stringify({ credsStore: 'all', credHelpers: { 'ghcr.io': 'own' } });
    expect(await authOf(settings, helper)).toEqual({
      username: 'me',
      password: 's',
      serveraddress: 'ghcr.io',
    });
    expect(asked).toEqual(['docker-credential-own']);
    const token = await authOf('{"credsStore":"all"}', kept('<token>'));
    expect(token).toEqual({ identitytoken: 's', serveraddress: 'ghcr.io' });
  });

  it.each([
    ['no settings', ''],
    ['settings that are no JSON', '{'],
    ['no entry for the registry', '{"auths":{"other":{"auth":"bWU6cw=="}}}'],
    ['an entry of another shape', '{"auths":{"ghcr.io":{"auth":1}}}'],
    ['a helper that fails', '{"credsStore":"all"}'],
    ['a helper that is a path', '{"credsStore":"../x"}'],
  ])('is none with %s', async (_, settings) => {
    expect(await authOf(settings)).toBeUndefined();
  });

  it('may be a token', async () => {
    const auth = await authOf('{"auths":{"ghcr.io":{"identitytoken":"t"}}}');
    expect(auth).toEqual({ identitytoken: 't', serveraddress: 'ghcr.io' });
  });
});
