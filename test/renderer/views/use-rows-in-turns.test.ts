import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTurn, ROWS_PER_TURN } from '../../../renderer/views/use-rows-in-turns.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const anyNames = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 })
  .map((all) => all.map(String));

describe('rows that come in turns', () => {
  it('are all there at once where they are few', () => {
    const few = names(ROWS_PER_TURN);
    expect([...nextTurn(new Set(), few)]).toEqual(few);
  });

  it('come from the top, a few with each turn', () => {
    const first = nextTurn(new Set(), names(30));
    expect([...first]).toEqual(names(ROWS_PER_TURN));
    expect([...nextTurn(first, names(30))]).toEqual(names(2 * ROWS_PER_TURN));
  });

  it('are the same set when nothing changes, so that the turns end', () => {
    const all = new Set(names(5));
    expect(nextTurn(all, names(5).toReversed())).toBe(all);
  });

  it('come in less than a second of frames where there are as many as may be', () => {
    const many = names(1000);
    let rows: ReadonlySet<string> = new Set();
    let turns = 0;
    while (rows.size < many.length) {
      rows = nextTurn(rows, many);
      turns += 1;
    }
    expect(turns).toBeLessThan(40);
  });

  it('stay as long as they are shown, go with what is not, and all come in the end', () => {
    fc.assert(
      fc.property(anyNames, anyNames, (before, shown) => {
        let rows: ReadonlySet<string> = new Set(before);
        for (let turn = 0; turn <= shown.length / ROWS_PER_TURN + 1; turn += 1) {
          const next = nextTurn(rows, shown);
          const added = [...next].filter((name) => !rows.has(name));
          expect(added.length).toBeLessThanOrEqual(ROWS_PER_TURN);
          expect(shown.filter((name) => rows.has(name)).every((name) => next.has(name))).toBe(true);
          expect([...next].every((name) => shown.includes(name))).toBe(true);
          const missing = shown.filter((name) => !next.has(name));
          const isLater = (name: string) => added.every((one) => shown.indexOf(one) < shown.indexOf(name));
          expect(missing.every(isLater)).toBe(true);
          rows = next;
        }
        expect(shown.every((name) => rows.has(name))).toBe(true);
        expect(rows.size).toBe(shown.length);
      }),
    );
  });
});
