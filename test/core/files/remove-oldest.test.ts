import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { removeOldest } from '../../../electron/core/files/remove-oldest.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder('remove-oldest-');
});

it('removes the files that were written longest ago, beyond the number', async () => {
  for (const [name, second] of Object.entries({ b: 20, a: 10, d: 40, c: 30 })) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), second, second);
  }
  await removeOldest(folder, 4);
  expect(readdirSync(folder)).toHaveLength(4);
  await removeOldest(folder, 2);
  expect(readdirSync(folder).sort()).toEqual(['c', 'd']);
});

it('counts files alone, and leaves folders', async () => {
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'b'), '');
  writeFileSync(join(folder, 'c'), '');
  await removeOldest(folder, 2);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

it('has nothing to do where there is no folder', async () => {
  await expect(removeOldest(join(folder, 'none'), 1)).resolves.toBeUndefined();
});
