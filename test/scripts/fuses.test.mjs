import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPackaging } from '../../scripts/lib/packaging.mjs';
import { readFuses } from '../../scripts/lib/fuses.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const packaging = await readPackaging();

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

let folder = '';
beforeEach(() => void (folder = tempFolder('fuses-test-')));

function binary({ version = 1, states = '1011001' } = {}) {
  const file = join(folder, 'electron');
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([version, states.length]),
    Buffer.from(states),
  ]);
  writeFileSync(file, Buffer.concat([Buffer.alloc(1000, 7), wire, Buffer.alloc(1000, 7)]));
  return file;
}

describe('readFuses', () => {
  it('names as many fuses as the wire is long', async () => {
    const fuses = await readFuses(binary({ states: '1011001' }));
    expect(fuses.size).toBe(7);
    expect(fuses.get('runAsNode')).toBe(true);
    expect(fuses.get('enableCookieEncryption')).toBe(false);
    expect(fuses.has('grantFileProtocolExtraPrivileges')).toBe(false);
  });

  it('knows today’s wire, whose last fuse has no name in electron-builder', async () => {
    expect([...(await readFuses(binary({ states: '101100011' })))].at(-1)).toEqual([
      'grantFileProtocolExtraPrivileges',
      true,
    ]);
  });

  it('leaves out a fuse that Electron has removed', async () => {
    expect((await readFuses(binary({ states: '1r110010' }))).has('enableCookieEncryption')).toBe(false);
  });

  it('says what is wrong with a file that is no Electron', async () => {
    const file = join(folder, 'other');
    writeFileSync(file, 'nothing here');
    await expect(readFuses(file)).rejects.toThrow(/fuses of .*other. cannot be read/);
    await expect(readFuses(binary({ version: 2 }))).rejects.toThrow(/wire version 2/);
  });
});

describe('the configured fuses', () => {
  it('close what a release must not leave open', () => {
    expect(packaging.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });
});
