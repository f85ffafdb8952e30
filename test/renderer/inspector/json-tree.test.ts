import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  firstOpen,
  holdsMoreThan,
  idOf,
  type JsonView,
  jsonWithin,
  pathWords,
  shownValue,
  toJsonRows,
} from '../../../renderer/inspector/json-rows.ts';
import { findInJson, revealed } from '../../../renderer/inspector/use-json-tree.ts';

const openOf = (value: unknown): JsonView => ({ open: firstOpen(value), shown: new Map() });
const wordsOf = (value: unknown, view = openOf(value)) =>
  toJsonRows(value, view).map(
    (row) => `${'  '.repeat(row.level - 1)}${row.path.at(-1) ?? ''} ${shownValue(row).text}`,
  );

describe('the rows of a tree', () => {
  it('show what is open, with the number of what is not', () => {
    const value = { a: [1, 'x', null], b: {}, c: true };
    expect(wordsOf(value)).toEqual([
      ' {',
      '  a [',
      '    0 1',
      '    1 "x"',
      '    2 null',
      '  b {}',
      '  c true',
    ]);
    expect(wordsOf(value, { open: new Set([idOf([])]), shown: new Map() })[1]).toBe('  a […]  3 items');
  });

  it('open with few of thousands, and with all of the top', () => {
    const value = Array.from({ length: 900 }, (_, n) => ({ n }));
    expect(toJsonRows(value, openOf(value))).toHaveLength(901);
    expect(toJsonRows({ value }, openOf({ value }))).toHaveLength(2);
  });

  it('show a thousand children at once, and say how many more there are', () => {
    const value = Array.from({ length: 2500 }, (_, n) => n);
    const rows = toJsonRows(value, openOf(value));
    expect(rows).toHaveLength(1002);
    expect(rows.at(-1)).toMatchObject({ kind: 'more', value: 1500 });
    const more = toJsonRows(value, { open: new Set([idOf([])]), shown: new Map([[idOf([]), 3000]]) });
    expect(more).toHaveLength(2501);
  });

  it('know whether there is enough to search', () => {
    expect(holdsMoreThan([1, [2, 3]], 5)).toBe(false);
    expect(holdsMoreThan([1, [2, 3, 4]], 5)).toBe(true);
  });

  it('cut long texts', () => {
    const [row] = toJsonRows('x'.repeat(5000), openOf(''));
    expect(shownValue(row!)).toEqual({ text: JSON.stringify('x'.repeat(200)), isCut: true });
  });

  it('say where a value is as code would', () => {
    expect(pathWords([])).toBe('$');
    expect(pathWords(['content', 0, 'text'])).toBe('content[0].text');
    expect(pathWords([2, 'a b', 'c'])).toBe('[2]["a b"].c');
  });

  it('hold every value of any JSON once everything is open', () => {
    const everything = (value: unknown): number =>
      1 + (childrenOf(value) ?? []).reduce((sum, [, child]) => sum + everything(child), 0);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const places: string[] = [];
        const collect = (part: unknown, path: readonly (string | number)[]): void => {
          places.push(idOf(path));
          for (const [step, child] of childrenOf(part) ?? []) collect(child, [...path, step]);
        };
        collect(value, []);
        const rows = toJsonRows(value, { open: new Set(places), shown: new Map() });
        expect(rows).toHaveLength(everything(value));
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      }),
    );
  });
});

describe('a search in a tree', () => {
  it('finds names and values, and opens what they lie in', () => {
    const value = { list: Array.from({ length: 1500 }, (_, n) => ({ word: `w${n}` })), Word: 7 };
    const found = findInJson(value, 'W1499');
    expect(found).toEqual([['list', 1499, 'word']]);
    const view = revealed({ open: new Set(), shown: new Map() }, value, found[0]!);
    expect(toJsonRows(value, view).map(({ id }) => id)).toContain(idOf(found[0]!));
    expect(findInJson(value, 'word')).toHaveLength(1000);
    expect(findInJson(value, '')).toEqual([]);
  });
});

it('takes a text for JSON only where it is an object or a list', () => {
  expect(jsonWithin(' {"a": 1}')).toEqual({ value: { a: 1 } });
  for (const text of ['7', '"x"', '{a}', '', '[1', 'Echo: {}']) expect(jsonWithin(text)).toBeUndefined();
});
