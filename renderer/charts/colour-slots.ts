/** Number of colours; the theme has as many. */
export const SLOT_COUNT = 8;

/** Slot by server: the number of its colour. */
export type ColourSlots = ReadonlyMap<string, number>;

/** Slot of each server by its place among all: the same in every view, as long as there are no more servers than colours. */
export const slotsByPlace = (names: readonly string[]): ColourSlots =>
  new Map(names.map((name, place) => [name, place % SLOT_COUNT]));

/**
 * Slots for the servers of several stacks. A server has the same colour in all of them and keeps it as long
 * as it is in any, because a colour that changes its meaning cannot be learnt. Where there are more servers
 * than colours, two share one, in different stacks where that is possible. A newcomer gets the slot that it has
 * elsewhere (`usual`), unless somebody who is here has it.
 */
export function assignSlots(
  before: ColourSlots,
  stacks: readonly (readonly string[])[],
  usual: ColourSlots,
): ColourSlots {
  const present = new Set(stacks.flat());
  const slots = new Map([...before].filter(([server]) => present.has(server)));
  for (const server of present) {
    const slot = usual.get(server);
    if (slot !== undefined && !slots.has(server) && !isTaken(slot, slots)) slots.set(server, slot);
  }
  for (const server of present) if (!slots.has(server)) slots.set(server, freeSlot(server, slots, stacks));
  return slots;
}

const isTaken = (slot: number, slots: ColourSlots): boolean => [...slots.values()].includes(slot);

function freeSlot(server: string, slots: ColourSlots, stacks: readonly (readonly string[])[]): number {
  const neighbours = new Set(stacks.filter((stack) => stack.includes(server)).flat());
  const uses = Array.from({ length: SLOT_COUNT }, (_, slot) => {
    const users = [...slots].filter(([, taken]) => taken === slot).map(([user]) => user);
    // A colour that stands beside it already weighs more than any number of uses elsewhere.
    return users.reduce((sum, user) => sum + (neighbours.has(user) ? slots.size + 1 : 1), 0);
  });
  return uses.indexOf(Math.min(...uses));
}

/** Slots from one drawing to the next. */
export class SlotBook {
  #slots: ColourSlots = new Map();

  /** Slots for the servers of these stacks; those that had one keep it. */
  assign(stacks: readonly (readonly string[])[], usual: ColourSlots): ColourSlots {
    return (this.#slots = assignSlots(this.#slots, stacks, usual));
  }
}

/** Colour of a server's slot; the others are grey because they are nobody in particular. */
export function colourOf(server: string | undefined, slots: ColourSlots): string {
  const slot = server === undefined ? undefined : slots.get(server);
  return slot === undefined ? 'var(--strong-line)' : `var(--series-${slot})`;
}
