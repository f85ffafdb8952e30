import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { syncFolder } from '../../../scripts/lib/windows-lane/prepare-lane.mjs';
import { tempFolder } from '../../support/temp-folder.ts';

let base = '';
let from = '';
let to = '';
beforeEach(() => {
  base = tempFolder('sync-folder-');
  [from, to] = [join(base, 'from'), join(base, 'to')];
  mkdirSync(join(from, 'deep'), { recursive: true });
  writeFileSync(join(from, 'a'), 'one');
  writeFileSync(join(from, 'deep', 'b'), 'two');
});

const read = (name) => readFileSync(join(to, name), 'utf8');

describe('syncFolder', () => {
  it('copies all of it once, and then only what has changed', () => {
    expect(syncFolder(from, to)).toBe(2);
    expect(syncFolder(from, to)).toBe(0);
    writeFileSync(join(from, 'deep', 'b'), 'three');
    expect(syncFolder(from, to)).toBe(1);
    expect([read('a'), read('deep/b')]).toEqual(['one', 'three']);
  });

  it.each([0.0004, 0.0005, 0.0009])(
    'takes a copy for the same, %d s after a whole millisecond',
    (fraction) => {
      const seconds = 1_790_000_000.001 + fraction;
      utimesSync(join(from, 'a'), seconds, seconds);
      expect(syncFolder(from, to)).toBe(2);
      expect(syncFolder(from, to)).toBe(0);
    },
  );

  it('notices an edit that leaves the size, by its time', () => {
    syncFolder(from, to);
    const before = statSync(join(from, 'a')).mtime.getTime();
    do writeFileSync(join(from, 'a'), 'two');
    while (statSync(join(from, 'a')).mtime.getTime() === before);
    syncFolder(from, to);
    expect(read('a')).toBe('two');
  });

  it('deletes what is gone, and puts a folder in the place of a file and the other way round', () => {
    syncFolder(from, to);
    rmSync(join(from, 'a'));
    mkdirSync(join(from, 'a'));
    writeFileSync(join(from, 'a', 'c'), 'four');
    rmSync(join(from, 'deep'), { recursive: true });
    writeFileSync(join(from, 'deep'), 'five');
    syncFolder(from, to);
    expect([read('a/c'), read('deep')]).toEqual(['four', 'five']);
    rmSync(join(from, 'a'), { recursive: true });
    syncFolder(from, to);
    expect(existsSync(join(to, 'a'))).toBe(false);
  });

  it('leaves names alone that it is told, at the top only', () => {
    mkdirSync(join(to, 'node_modules'), { recursive: true });
    mkdirSync(join(from, 'node_modules'));
    writeFileSync(join(from, 'node_modules', 'theirs'), '');
    mkdirSync(join(from, 'deep', 'node_modules'));
    writeFileSync(join(from, 'deep', 'node_modules', 'ours'), '');
    syncFolder(from, to, new Set(['node_modules']));
    expect(existsSync(join(to, 'node_modules', 'theirs'))).toBe(false);
    expect(existsSync(join(to, 'deep', 'node_modules', 'ours'))).toBe(true);
  });
});
