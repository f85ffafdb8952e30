import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../shared/json-object.ts';
import { sourceFiles } from '../structure/import-graph.ts';

const root = resolve(import.meta.dirname, '../..');

describe('isJsonObject', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [Object.create(null), true],
    [null, false],
    [[], false],
    [undefined, false],
    ['{}', false],
    [() => 1, false],
  ])('says of %j: %j', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });

  it('is the only one of its kind', () => {
    const byHand =
      /=== 'object' && (\w+) !== null && !Array\.isArray\(\1\)|!== 'object' \|\| (\w+) === null \|\| Array\.isArray\(\2\)/;
    const files = ['shared', 'electron', 'renderer'].flatMap((folder) => sourceFiles(root, folder));
    const found = files.filter((file) => byHand.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toEqual(['shared/json-object.ts']);
  });
});
