import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FilePart, statsOf } from '../../../electron/core/logs/file-part.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MEBI = 1024 * 1024;
/** Longer than what is indexed together, and than twice that. */
const LONGEST = 'x'.repeat(2.5 * MEBI);

const textsOf = (part: FilePart) =>
  part
    .lists('one')
    .flatMap((list) => Array.from({ length: list.sheetCount }, (_, sheet) => list.load(sheet)).flat())
    .map(({ text }) => text);

it('has every line of a large file, also a long one, and what is appended', () => {
  const file = join(tempFolder('file-part-'), 'one.log');
  let count = 0;
  const line = (text: string) => {
    const stamp = new Date(1_780_000_000_000 + count++).toISOString();
    return `${stamp} #1 ${text}\n`;
  };
  const texts = Array.from({ length: 30_000 }, (_, index) => `line ${index} ${'y'.repeat(index % 97)}`);
  const all = [...texts, LONGEST, ...texts];
  writeFileSync(file, all.map(line).join('') + 'a line without its');
  const part = new FilePart(file, -Infinity);
  expect(textsOf(part)).toEqual(all);

  writeFileSync(file, '');
  count = 0;
  appendFileSync(file, line('first'));
  const grown = new FilePart(file, -Infinity);
  appendFileSync(file, all.map(line).join(''));
  expect(grown.growAt(file, statsOf(file)!)).toBe(true);
  expect(textsOf(grown)).toEqual(['first', ...all]);
});
