import type { Connection } from './connection.ts';
import type { Waiter } from './waiter.ts';

/** Who waits, by slot. Slots stand in the order in which somebody first waited for them. */
export class WaiterQueue<C extends Connection> {
  readonly #bySlot = new Map<string, Set<Waiter<C>>>();

  get isEmpty(): boolean {
    return this.#bySlot.size === 0;
  }

  add(waiter: Waiter<C>): void {
    const group = this.#bySlot.get(waiter.slot);
    if (group) group.add(waiter);
    else this.#bySlot.set(waiter.slot, new Set([waiter]));
  }

  /** False when it does not wait here. */
  remove(waiter: Waiter<C>): boolean {
    const group = this.#bySlot.get(waiter.slot);
    if (!group?.delete(waiter)) return false;
    if (group.size === 0) this.#bySlot.delete(waiter.slot);
    return true;
  }

  has(slot: string): boolean {
    return this.#bySlot.has(slot);
  }

  /** The one that has waited longest for the slot. */
  first(slot: string): Waiter<C> | undefined {
    return this.#bySlot.get(slot)?.values().next().value;
  }

  slots(): readonly string[] {
    return [...this.#bySlot.keys()];
  }

  /** Removes and returns all who wait for the slot, in order. */
  take(slot: string): readonly Waiter<C>[] {
    const group = this.#bySlot.get(slot) ?? [];
    this.#bySlot.delete(slot);
    return [...group];
  }

  takeAll(): readonly Waiter<C>[] {
    return this.slots().flatMap((slot) => this.take(slot));
  }
}
