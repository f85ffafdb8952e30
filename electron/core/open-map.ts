/**
 * Minimum additions before the entries are copied to a new `Map`. With so few additions, a `Map` rarely lives long enough for
 * V8's garbage collector to promote its table to the old generation.
 */
const RENEWED_AFTER = 64;

/**
 * A map for short-lived entries, such as calls that are in progress. Inside V8, each table of a `Map` or `Set` refers to the
 * table that replaced it. Once one table is in the old generation, it therefore keeps all later tables and their entries from
 * being collected while they are young. Switching to a new `Map` from time to time breaks this chain. An iteration uses the
 * `Map` that was current when it began, so it must end in the same event-loop tick.
 */
export class OpenMap<K, V> {
  #map = new Map<K, V>();
  #added = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  set(key: K, value: V): void {
    this.#added += 1;
    // A new `Map` is made only after as many additions as there are entries. Otherwise the calls that pile up for a hung server
    // would be copied again and again.
    if (this.#added >= Math.max(RENEWED_AFTER, this.#map.size)) {
      this.#map = new Map(this.#map);
      this.#added = 0;
    }
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    return this.#map.delete(key);
  }

  entries(): MapIterator<[K, V]> {
    return this.#map.entries();
  }

  values(): MapIterator<V> {
    return this.#map.values();
  }

  clear(): void {
    this.#map.clear();
  }
}

/** A set with the same behaviour as `OpenMap`. */
export class OpenSet<T> extends OpenMap<T, T> {
  add(value: T): void {
    this.set(value, value);
  }
}
