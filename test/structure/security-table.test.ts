import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const exposure = text.slice(text.indexOf('## Exposure'), text.indexOf('## The network'));
/** Rows of the tables, without heads and rules. */
const rows = exposure
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(?:---\||.* test \|$)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

describe('docs/security.md', () => {
  it('names test files that exist', () => {
    const named = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has a row for each place of words and secrets, with a test or the word that there is none', () => {
    expect(rows.length).toBeGreaterThan(40);
    const proof = /^(?:`test\/[^`]+`(?: › \S.*)?|not proven here)$/;
    expect(rows.filter((row) => !proof.test(row.at(-1) ?? ''))).toEqual([]);
  });

  it.each(rows.filter((row) => row.at(-1)?.includes(' › ')))('names a test that is there: %s', (...row) => {
    const [, path = '', title = ''] = /^`([^`]+)` › (.*)$/.exec(row.at(-1) ?? '') ?? [];
    expect(readFileSync(join(root, path), 'utf8').includes(title)).toBe(true);
  });
});
