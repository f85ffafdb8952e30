import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashContents, hashMetadata, readStamp, removeStamp, writeStamp } from '../../scripts/lib/stamp.mjs';
import { tempFolder } from '../support/temp-folder.ts';

let base = '';
beforeEach(() => {
  base = tempFolder('stamp-test-');
  mkdirSync(join(base, 'src', 'deep'), { recursive: true });
  writeFileSync(join(base, 'src', 'a.ts'), 'one');
  writeFileSync(join(base, 'src', 'deep', 'b.ts'), 'two');
});

const hash = () => hashContents(base, ['src', 'config.ts']);

describe('hashContents', () => {
  it('stays the same when only times change', () => {
    const before = hash();
    utimesSync(join(base, 'src', 'a.ts'), new Date(0), new Date(0));
    expect(hash()).toBe(before);
  });

  it.each([
    ['a file is edited without changing its size', () => writeFileSync(join(base, 'src', 'a.ts'), 'two')],
    ['a file is added', () => writeFileSync(join(base, 'src', 'deep', 'c.ts'), '')],
    ['a file is removed', () => rmSync(join(base, 'src', 'deep', 'b.ts'))],
    ['a missing path appears', () => writeFileSync(join(base, 'config.ts'), '')],
    [
      'content moves from one file to another',
      () => {
        writeFileSync(join(base, 'src', 'a.ts'), 'onetwo');
        writeFileSync(join(base, 'src', 'deep', 'b.ts'), '');
      },
    ],
  ])('changes when %s', (_what, change) => {
    const before = hash();
    change();
    expect(hash()).not.toBe(before);
  });
});

describe('hashMetadata', () => {
  it('changes with a time, so that another tool’s output is noticed', () => {
    const before = hashMetadata(base, ['src']);
    utimesSync(join(base, 'src', 'a.ts'), new Date(0), new Date(0));
    expect(hashMetadata(base, ['src'])).not.toBe(before);
  });
});

describe('a stamp', () => {
  it('is what was written, in folders made on the way, until it is removed', () => {
    const file = join(base, 'out', 'deep', '.stamp');
    expect(readStamp(file)).toBeUndefined();
    writeStamp(file, 'abc');
    expect(readStamp(file)).toBe('abc');
    removeStamp(file);
    removeStamp(file);
    expect(readStamp(file)).toBeUndefined();
  });
});
