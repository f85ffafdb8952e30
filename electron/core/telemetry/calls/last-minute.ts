import type { RecentCalls } from '../../../../shared/call-figures.ts';

/** Length of the slots in which calls of the last minute are counted, in ms. */
export const SLOT_MS = 5000;
const SLOTS = 12;

interface Slot {
  /** Number of the slot since time 0 of the clock. */
  readonly index: number;
  calls: number;
  errors: number;
}

/** Calls of the last 55 to 60 seconds by the monotonic clock. */
export class LastMinute {
  /** Slots in order of time, at most 12. */
  #slots: readonly Slot[] = [];

  add(isError: boolean, nowMs: number): void {
    const index = Math.floor(nowMs / SLOT_MS);
    let slot = this.#slots.at(-1);
    if (slot?.index !== index) {
      slot = { index, calls: 0, errors: 0 };
      this.#slots = [...this.#slotsAt(nowMs), slot];
    }
    slot.calls += 1;
    if (isError) slot.errors += 1;
  }

  /** Figures at `nowMs`; undefined when no call has ended in the last minute. */
  at(nowMs: number): RecentCalls | undefined {
    this.#slots = this.#slotsAt(nowMs);
    if (this.#slots.length === 0) return undefined;
    const sum = (count: (slot: Slot) => number) =>
      this.#slots.reduce((total, slot) => total + count(slot), 0);
    return { calls: sum(({ calls }) => calls), errors: sum(({ errors }) => errors) };
  }

  #slotsAt(nowMs: number): readonly Slot[] {
    const oldest = Math.floor(nowMs / SLOT_MS) - SLOTS + 1;
    return this.#slots.filter(({ index }) => index >= oldest);
  }
}
