import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { prepareHome } from '../../../electron/core/files/prepare-home.ts';
import { skipWhen } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Test for ordinary users only, because root may write everywhere. */
const asOrdinaryUser = skipWhen(
  process.platform === 'win32' || process.getuid?.() === 0,
  'Windows has no mode bits, and root needs none',
);

describe('prepareHome', () => {
  let folder: string;
  beforeEach(() => (folder = tempFolder('home-folder-')));

  it('creates the folder and those above it, for its owner only', () => {
    const home = join(folder, 'deep', 'home');
    expect(prepareHome(home)).toBeUndefined();
    expect(statSync(home).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(prepareHome(home)).toBeUndefined();
  });

  it('says so when a file is in the way', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const home of [file, join(file, 'home')])
      expect(prepareHome(home)).toContain(`the folder ${home} cannot be written: `);
  });

  it('says so when nothing can be written into it', asOrdinaryUser, () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    chmodSync(home, 0o500);
    expect(prepareHome(home)).toContain('permission denied');
  });
});
