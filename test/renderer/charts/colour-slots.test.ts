import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seriesShades } from '../../../renderer/palette.ts';
import {
  assignSlots,
  colourOf,
  SLOT_COUNT,
  SlotBook,
  slotsByPlace,
} from '../../../renderer/charts/colour-slots.ts';

const stackOf = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 6 });

const noPlaces = new Map<string, number>();

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
          let before = book.assign([], noPlaces);
          for (const stacks of drawings) {
            const slots = book.assign(stacks, noPlaces);
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
        const slots = assignSlots(new Map(), [stacks[0]], noPlaces);
        expect(new Set(stacks[0].map((server) => slots.get(server))).size).toBe(stacks[0].length);
        const two = assignSlots(
          new Map(),
          [
            ['a', 'b', 'c', 'd', 'e', 'f'],
            ['g', 'h', 'i', 'j', 'k'],
          ],
          noPlaces,
        );
        expect(new Set(['g', 'h', 'i', 'j', 'k'].map((server) => two.get(server))).size).toBe(5);
      }),
    );
  });

  it('are the same in every view of as many servers as there are colours', () => {
    const names = [...'abcdefgh'];
    const places = slotsByPlace(names);
    fc.assert(
      fc.property(fc.array(fc.subarray(names), { maxLength: 3 }), (stacks) => {
        const slots = new SlotBook().assign(stacks, places);
        for (const [server, slot] of slots) expect(slot).toBe(places.get(server));
      }),
    );
  });

  it('differ within a stack of servers that have the same colour elsewhere', () => {
    const names = [...'abcdefghijklmnop'];
    fc.assert(
      fc.property(fc.subarray(names, { maxLength: 6 }), (stack) => {
        const slots = new SlotBook().assign([stack], slotsByPlace(names));
        expect(new Set(slots.values()).size).toBe(stack.length);
      }),
    );
  });

  it('are grey for whoever has none', () => {
    expect(colourOf(undefined, slotsByPlace(['a']))).toBe('var(--strong-line)');
    expect(colourOf('removed', slotsByPlace(['a']))).toBe('var(--no-colour)');
    expect(colourOf('a', slotsByPlace(['a']))).toBe('var(--series-0)');
  });
});
