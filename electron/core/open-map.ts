/**
 * Minimum additions before a new table is begun. With so few, hardly any table lives long enough to become an old object for
 * V8's garbage collector.
 */
const RENEWED_AFTER = 64;

/**
 * A map for entries that exist only during a call. V8 links each table of a `Map` or `Set` to its successor. If one table has
 * become an old object, it prevents all later tables and their entries from being collected while they are young. A new map
 * from time to time breaks this chain. An iteration shows the entries at the time when it began, and must end in the same
 * event-loop tick.
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
    // A new map is made only after as many additions as there are entries, because calls that pile up for a hung server must
    // not be copied repeatedly.
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
