import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipOn } from '../support/skip-on.ts';
import { importsOf, sourceFiles } from './import-graph.ts';

const root = resolve(import.meta.dirname, '../..');

const FOLDERS = ['.ci', '.github', 'build', 'docs', 'electron', 'renderer', 'scripts', 'shared', 'test'];
const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'REVIEW.md'];
/** Each of these is looked for in the root by the program that it sets up. */
const SETTINGS = [
  '.editorconfig',
  '.gitattributes',
  '.gitignore',
  '.npmrc',
  '.prettierignore',
  '.prettierrc.json',
  'electron-builder.yml',
  'electron.vite.config.ts',
  'eslint.config.mjs',
  'knip.json',
  'package-lock.json',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.node.json',
  'tsconfig.preload.json',
  'tsconfig.renderer.json',
  'tsconfig.whole.json',
  'vite.config.ts',
  'vitest.config.ts',
];
/** What the product stands on: each has a file of the product that imports it. */
const FOUNDATIONS = ['electron', 'react', '@modelcontextprotocol/sdk', 'pidusage', 'zustand', 'recharts'];

const imported = ['electron', 'renderer', 'shared'].flatMap((folder) =>
  sourceFiles(root, folder).flatMap((file) => importsOf(root, file).map(({ to }) => to)),
);

const withGit = skipOn('wine', 'this lane has no git');

describe('the root of the tree', () => {
  it('holds what is named here and nothing else', withGit, () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const entries = new Set(tracked.map((path) => path.split('/')[0]));
    expect([...entries].toSorted()).toEqual([...FOLDERS, ...DOCUMENTS, ...SETTINGS].toSorted());
  });

  it.each(FOUNDATIONS)('has a file of the product that imports %s', (name) => {
    expect(imported.filter((to) => to === name || to.startsWith(`${name}/`))).not.toEqual([]);
  });
});
