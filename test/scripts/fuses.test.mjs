import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configuredFuses, readFuses, withoutFuses } from '../../scripts/lib/fuses.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const CHUNK_BYTES = 8 * 1024 * 1024;

const YAML = `appId: x
electronFuses:
  # a note
  runAsNode: false
  grantFileProtocolExtraPrivileges: true # for now

mac:
  runAsNode: not a fuse
`;

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fuses-test-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function binary({ before = 1000, version = 1, states = '1011001' } = {}) {
  const file = join(folder, 'electron');
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([version, states.length]),
    Buffer.from(states),
  ]);
  writeFileSync(file, Buffer.concat([Buffer.alloc(before, 7), wire, Buffer.alloc(1000, 7)]));
  return file;
}

describe('readFuses', () => {
  it('names as many fuses as the wire is long', () => {
    const fuses = readFuses(binary({ states: '1011001' }));
    expect(fuses.size).toBe(7);
    expect(fuses.get('runAsNode')).toBe(true);
    expect(fuses.get('enableCookieEncryption')).toBe(false);
    expect(fuses.has('grantFileProtocolExtraPrivileges')).toBe(false);
  });

  it('knows today’s wire, whose last fuse has no name in electron-builder', () => {
    expect([...readFuses(binary({ states: '101100011' }))].at(-1)).toEqual([
      'grantFileProtocolExtraPrivileges',
      true,
    ]);
  });

  it('leaves out a fuse that Electron has removed', () => {
    expect(readFuses(binary({ states: '1r110010' })).has('enableCookieEncryption')).toBe(false);
  });

  it.each([-40, -20, -1, 0, 1])('finds a wire %i bytes from the border of two reads', (offset) => {
    expect(readFuses(binary({ before: CHUNK_BYTES + offset })).size).toBe(7);
  });

  it('says what is wrong with a file that is no Electron', () => {
    const file = join(folder, 'other');
    writeFileSync(file, 'nothing here');
    expect(() => readFuses(file)).toThrow(/no fuse wire/);
    expect(() => readFuses(binary({ version: 2 }))).toThrow(/wire version 2/);
  });
});

describe('the configured fuses', () => {
  it('are the settings below electronFuses and nothing else', () => {
    expect([...configuredFuses(YAML)]).toEqual([
      ['runAsNode', false],
      ['grantFileProtocolExtraPrivileges', true],
    ]);
    expect(configuredFuses('appId: x\n').size).toBe(0);
  });

  it('lose the ones that are named, and only there', () => {
    expect(withoutFuses(YAML, ['runAsNode', 'grantFileProtocolExtraPrivileges'])).toBe(
      'appId: x\nelectronFuses:\n  # a note\n\nmac:\n  runAsNode: not a fuse\n',
    );
    expect(withoutFuses(YAML, [])).toBe(YAML);
  });

  it('close what a release must not leave open', () => {
    const fuses = configuredFuses(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
    expect(Object.fromEntries(fuses)).toEqual({
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
