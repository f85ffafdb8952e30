import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seriesShades } from '../../../renderer/palette.ts';
import { assignSlots, SLOT_COUNT, SlotBook } from '../../../renderer/charts/colour-slots.ts';

const stackOf = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 6 });

describe('the colours of servers', () => {
  it('are as many as the theme has', () => {
    expect(seriesShades.light).toHaveLength(SLOT_COUNT);
    expect(seriesShades.dark).toHaveLength(SLOT_COUNT);
  });

  it('stay with a server as long as it is shown anywhere, and differ within a stack', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(stackOf, stackOf, stackOf), { minLength: 1, maxLength: 6 }),
        (drawings) => {
          const book = new SlotBook();
          let before = book.assign([]);
          for (const stacks of drawings) {
            const slots = book.assign(stacks);
            const shown = new Set(stacks.flat());
            expect(new Set(slots.keys())).toEqual(shown);
            for (const [server, slot] of before) if (shown.has(server)) expect(slots.get(server)).toBe(slot);
            before = slots;
          }
        },
      ),
    );
  });

  it('are shared only by servers of different stacks while that is possible', () => {
    fc.assert(
      fc.property(stackOf, stackOf, stackOf, (...stacks) => {
        const slots = assignSlots(new Map(), [stacks[0]]);
        expect(new Set(stacks[0].map((server) => slots.get(server))).size).toBe(stacks[0].length);
        const two = assignSlots(new Map(), [
          ['a', 'b', 'c', 'd', 'e', 'f'],
          ['g', 'h', 'i', 'j', 'k'],
        ]);
        expect(new Set(['g', 'h', 'i', 'j', 'k'].map((server) => two.get(server))).size).toBe(5);
      }),
    );
  });
});
