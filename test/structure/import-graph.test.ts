import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circles, importsOf, sourceFiles } from './import-graph.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function aTree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = tempFolder('import-graph-');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const arrow = (from: string, to: string) => ({ from, to });

describe('the walk of imports', () => {
  it('finds every form of an import, and tells which leave nothing behind but types', async () => {
    const root = await aTree({
      'a/main.ts': [
        `import './effect.ts';`,
        `import { value } from '../b/value.ts';`,
        `import { type One, other } from '../b/mixed.ts';`,
        `import { type Two } from '../b/inline.ts';`,
        `import type { Three } from '../b/types.ts';`,
        `import * as all from '../b/all.ts';`,
        `export { again } from '../b/again.ts';`,
        `export type { Four } from '../b/again-types.ts';`,
        `type Five = import('../b/asked.ts').Five;`,
        `const later = () => import('../b/later.ts');`,
        `import text from '../b/text.css?inline';`,
        `import { join } from 'node:path';`,
        `// import { no } from '../b/comment.ts';`,
        `const words = "import { no } from '../b/text.ts'";`,
      ].join('\n'),
      'a/effect.ts': '',
      'b/text.css': '',
      ...Object.fromEntries(
        'value mixed inline types all again again-types asked later'
          .split(' ')
          .map((name) => [`b/${name}.ts`, '']),
      ),
    });
    const found = importsOf(root, 'a/main.ts');
    expect(found.filter(({ isTypeOnly }) => isTypeOnly).map(({ to }) => to)).toEqual([
      'b/inline.ts',
      'b/types.ts',
      'b/again-types.ts',
      'b/asked.ts',
    ]);
    expect(found.filter(({ isTypeOnly }) => !isTypeOnly).map(({ to }) => to)).toEqual([
      'a/effect.ts',
      'b/value.ts',
      'b/mixed.ts',
      'b/all.ts',
      'b/again.ts',
      'b/later.ts',
      'b/text.css',
      'node:path',
    ]);
    expect(found.filter(({ isOurs }) => !isOurs).map(({ to }) => to)).toEqual(['node:path']);
    expect(sourceFiles(root, 'a')).toEqual(['a/effect.ts', 'a/main.ts']);
  });

  it('refuses an import of a file that is not there, which it could not place', async () => {
    const root = await aTree({ 'a/main.ts': `import { gone } from './gone.ts';` });
    expect(() => importsOf(root, 'a/main.ts')).toThrow('a/main.ts imports ./gone.ts, which is no file');
  });

  it('finds circles of any length, however they are entered, and none where arrows only meet', () => {
    expect(circles([arrow('a', 'b'), arrow('a', 'c'), arrow('b', 'd'), arrow('c', 'd')])).toEqual([]);
    expect(circles([arrow('in', 'b'), arrow('b', 'c'), arrow('c', 'a'), arrow('a', 'b')])).toEqual([
      ['a', 'b', 'c'],
    ]);
    expect(circles([arrow('a', 'a'), arrow('a', 'b')])).toEqual([['a']]);
    const two = [arrow('a', 'b'), arrow('b', 'a'), arrow('b', 'c'), arrow('c', 'd'), arrow('d', 'c')];
    expect(circles(two)).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ]);
  });
});
