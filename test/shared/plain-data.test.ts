import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../shared/cut-text.ts';
import { boundData, type DataBounds } from '../../shared/plain-data.ts';

const bounds: DataBounds = {
  maxDepth: 4,
  maxEntries: 10,
  maxValues: 50,
  maxTextLength: 100,
  maxTotalLength: 500,
  cutTexts: 'end',
};

/** Size of a JSON value: its levels, its values, and the characters of its texts and names. */
function sizeOf(value: unknown): { depth: number; values: number; length: number } {
  if (typeof value === 'string') return { depth: 0, values: 1, length: value.length };
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1, length: 0 };
  const parts = Object.values(value).map(sizeOf);
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    values: 1 + parts.reduce((sum, { values }) => sum + values, 0),
    length: names.join('').length + parts.reduce((sum, { length }) => sum + length, 0),
  };
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { end: true };
  for (let level = 0; level < levels; level += 1) value = { in: value };
  return value;
}

describe('bounded data', () => {
  it('is the data itself where it is within the bounds', () => {
    const data = { a: 'text', b: [1, null, true, { c: [] }], '': '' };
    expect(boundData(data, bounds)).toEqual({ value: data });
  });

  it('says how many characters a text has lost', () => {
    const { value, loss } = boundData({ text: 'x'.repeat(1000) }, bounds);
    expect(value['text']).toMatch(/^x+… \[9\d\d characters left out\]$/);
    const shown = /^x+/.exec(String(value['text']))?.[0].length ?? 0;
    expect(loss).toEqual({ characters: 1000 - shown, values: 0, isAtLeast: false });
  });

  it('says how many values are left out of lists, objects and depths', () => {
    const list = Array.from({ length: 15 }, (_, index) => index);
    expect(boundData({ list }, bounds)).toEqual({
      value: { list: list.slice(0, 10) },
      loss: { characters: 0, values: 5, isAtLeast: false },
    });
    // Four levels stay, and of those below: four objects and the text at the end.
    const deep = boundData(nested(8), bounds);
    expect(deep.value).toEqual({ in: { in: { in: { in: '…' } } } });
    expect(deep.loss).toEqual({ characters: 11, values: 6, isAtLeast: false });
  });

  it('stands any depth, breadth and circle, and stops counting', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    circle['list'] = [circle, circle];
    for (const data of [nested(100_000), { list: Array.from({ length: 1_000_000 }, () => ({})) }, circle]) {
      const { value, loss } = boundData(data, bounds);
      expect(sizeOf(value).depth).toBeLessThanOrEqual(bounds.maxDepth);
      expect(loss).toMatchObject({ isAtLeast: true });
    }
  });

  it('leaves out what is no data, and writes big integers as text', () => {
    const data = { big: 12n, missing: undefined, run: () => 1, mark: Symbol('x'), list: [undefined, 1] };
    expect(boundData(data, bounds)).toEqual({ value: { big: '12', list: [null, 1] } });
  });

  it('keeps a field named __proto__ as a field', () => {
    const data = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    expect(JSON.stringify(boundData(data, bounds).value)).toBe('{"__proto__":{"a":1}}');
  });

  it('is within its bounds and can be cloned, whatever it was made of', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })), (data) => {
        const { value, loss } = boundData(data, bounds);
        const size = sizeOf(value);
        expect(size.depth).toBeLessThanOrEqual(bounds.maxDepth);
        expect(size.values).toBeLessThanOrEqual(bounds.maxValues + 1);
        expect(size.length).toBeLessThanOrEqual(bounds.maxTotalLength);
        expect(structuredClone(value)).toEqual(value);
        if (loss === undefined) expect(value).toEqual(data);
        expect(boundData(value, bounds).value).toEqual(value);
      }),
    );
  });
});

describe('a text that is cut', () => {
  it('keeps its end where that matters, and says what is missing between', () => {
    const { text } = cutText(`first words ${'middle '.repeat(100)}FATAL: the cause`, 200, 'middle');
    expect(text).toMatch(/^first words .*… \[\d+ characters left out\] ….*FATAL: the cause$/);
    expect(text.length).toBeLessThanOrEqual(200);
  });

  it('is cut between words, so that no half of one stands there', () => {
    expect(cutText(`one two-three-four ${'x'.repeat(100)}`, 70, 'end').text).toMatch(
      /^one two-three-four… \[/,
    );
  });

  it('has no half of a character, whatever its length', () => {
    for (let length = 40; length < 60; length += 1) {
      for (const where of ['end', 'middle'] as const) {
        const { text } = cutText('🚀'.repeat(100), length + 20, where);
        expect(text).not.toMatch(/\p{Cs}/u);
        expect(text.length).toBeLessThanOrEqual(length + 20);
      }
    }
  });
});
