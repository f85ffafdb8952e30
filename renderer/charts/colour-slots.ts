/** Number of colours; the theme defines as many. */
export const SLOT_COUNT = 8;

/** Colour slots by server name; a slot is the number of a colour. */
export type ColourSlots = ReadonlyMap<string, number>;

/** Slots by the server's position among all servers, the same in every view. With more servers than colours, colours repeat. */
export const slotsByPlace = (names: readonly string[]): ColourSlots =>
  new Map(names.map((name, place) => [name, place % SLOT_COUNT]));

/**
 * Assigns slots to the servers of several stacks. A server has the same colour in all stacks and keeps it as long as it is in
 * any of them, because users cannot learn a changing colour. If there are more servers than colours, two servers share one, in
 * different stacks if possible. A new server gets the slot that it has in other views (`usual`), unless another server of
 * these stacks has that slot.
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
    // A use in the same stack weighs more than any number of uses in other stacks.
    return users.reduce((sum, user) => sum + (neighbours.has(user) ? slots.size + 1 : 1), 0);
  });
  return uses.indexOf(Math.min(...uses));
}

/** Assigned colour slots, which are kept from one render to the next, so that servers keep their colours. */
export class SlotBook {
  #slots: ColourSlots = new Map();

  /** Assigns slots to the servers of these stacks; servers that had a slot keep it. */
  assign(stacks: readonly (readonly string[])[], usual: ColourSlots): ColourSlots {
    return (this.#slots = assignSlots(this.#slots, stacks, usual));
  }
}

export { colourOf } from '../format/server-colours.ts';
