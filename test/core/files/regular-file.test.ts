import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  openForAppending,
  readRegularFile,
  readRegularFileSync,
} from '../../../electron/core/files/regular-file.ts';
import { setAside } from '../../../electron/core/files/edited-file.ts';
import { makeNamedPipe, withNamedPipes } from '../../support/named-pipe.ts';
import { withLinks } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = tempFolder('regular-');
  path = join(folder, 'file');
});

/** Intruders, each put into the place of the file; the returned function takes it back. */
const intruders: Record<string, () => Promise<() => void> | (() => void) | void> = {
  'a folder': () => mkdirSync(path),
};

const posixIntruders: typeof intruders = {
  'a named pipe': () => makeNamedPipe(path),
  'a symbolic link to a named pipe': () => {
    makeNamedPipe(`${path}.pipe`);
    symlinkSync(`${path}.pipe`, path);
  },
  'a device': () => symlinkSync('/dev/zero', path),
  'a socket': () =>
    new Promise<() => void>((resolve) => {
      const server = createServer().listen(path, () => resolve(() => server.close()));
    }),
};

describe('in the place of a file', () => {
  const isRefused = async (name: string, put: (typeof intruders)[string]) => {
    const undo = await put();
    // ENXIO is what open(2) says of a socket that is to be read.
    const refusal = name === 'a socket' ? { code: 'ENXIO' } : { reason: 'not-regular' };
    await expect(readRegularFile(path, 100)).rejects.toMatchObject(refusal);
    expect(() => readRegularFileSync(path, 100)).toThrow(expect.objectContaining(refusal));
    await expect(openForAppending(path, 0o600)).rejects.toMatchObject({ reason: 'not-regular' });
    undo?.();
  };

  it.each(Object.entries(intruders))('%s is neither read nor written', isRefused);

  it.each(Object.entries(posixIntruders))(
    '%s is neither read nor written, and nobody waits for its other end',
    withNamedPipes,
    isRefused,
  );
});

describe('a regular file', () => {
  it('is read whole up to its bound, and not beyond', async () => {
    writeFileSync(path, 'x'.repeat(100));
    expect(String(await readRegularFile(path, 100))).toBe('x'.repeat(100));
    expect(String(readRegularFileSync(path, 100))).toBe('x'.repeat(100));
    await expect(readRegularFile(path, 99)).rejects.toMatchObject({ reason: 'too-large' });
    expect(() => readRegularFileSync(path, 99)).toThrow(expect.objectContaining({ reason: 'too-large' }));
  });

  it('may be a symbolic link to one, as managers of dotfiles make them', withLinks, async () => {
    writeFileSync(`${path}.target`, 'linked');
    symlinkSync(`${path}.target`, path);
    expect(String(await readRegularFile(path, 100))).toBe('linked');
    const file = await openForAppending(path, 0o600);
    await file.appendFile(' and written');
    await file.close();
    expect(readFileSync(`${path}.target`, 'utf8')).toBe('linked and written');
  });
});

describe('setAside', () => {
  it('renames, never over what was set aside before', () => {
    const kept = ['one', 'two', 'three'].map((text) => {
      writeFileSync(path, text);
      return setAside(path);
    });
    expect(kept).toEqual([`${path}.aside`, `${path}.aside-2`, `${path}.aside-3`]);
    expect(kept.map((file) => readFileSync(file!, 'utf8'))).toEqual(['one', 'two', 'three']);
    expect(setAside(path)).toBeUndefined();
  });
});
