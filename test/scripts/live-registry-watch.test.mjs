import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchRegistry } from '../../scripts/lib/npm-install.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const NPM = resolve(import.meta.dirname, '../fixtures/launcher/npm.mjs');

let folder = '';
let kills = 0;
const install = { kill: () => void (kills += 1) };
beforeEach(() => {
  folder = tempFolder('registry-test-');
  kills = 0;
  const cli = join(folder, 'npm', 'npm-cli.js');
  mkdirSync(join(folder, 'npm'));
  mkdirSync(join(folder, 'modules'));
  writeFileSync(cli, `import(${JSON.stringify(NPM)});`);
  vi.stubEnv('npm_execpath', cli);
  vi.stubEnv('npm_node_execpath', process.execPath);
});
afterEach(() => void vi.unstubAllEnvs());

const modules = () => join(folder, 'modules');
const watch = (signal = new AbortController().signal, patienceMs = 0) =>
  watchRegistry(install, signal, {
    spec: 'some-package@1.0.0',
    patienceMs: { refused: patienceMs, silent: patienceMs },
    folder: modules(),
  });

describe('watchRegistry', () => {
  it('ends an install of which nothing has arrived from a registry that cannot be reached', async () => {
    vi.stubEnv('FAKE_REGISTRY_DOWN', '1');
    expect(await watch()).toEqual({ output: 'npm error code EAI_AGAIN\n', isSilent: false });
    expect(kills).toBe(1);
  });

  it('lets an install be whose registry answers', async () => {
    expect(await watch()).toBeUndefined();
    expect(kills).toBe(0);
  });

  it('lets an install be that goes on from the cache', async () => {
    vi.stubEnv('FAKE_REGISTRY_DOWN', '1');
    const over = new AbortController();
    const watching = watch(over.signal, 2 ** 30);
    writeFileSync(join(modules(), 'arrived'), 'x');
    over.abort();
    expect(await watching).toBeUndefined();
    const later = watch(undefined, 500);
    writeFileSync(join(modules(), 'arrived-later'), 'x');
    expect(await later).toBeUndefined();
    expect(kills).toBe(0);
  });
});
