/** Fewest additions after which a new table is begun: few of them live long enough to be moved among the old objects. */
const RENEWED_AFTER = 64;

/**
 * A map of what comes and goes with each call. V8 links the tables of a `Map` or `Set`, each to its successor: one table among
 * the old objects keeps all later ones, and whatever was in them, from being collected while it is young. A new map now and then
 * breaks the chain. An iteration shows what was there when it began; it must not outlast the turn.
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
    // As many additions as it holds: calls that pile up before a hung server must not be copied again and again.
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

/** A set of the same kind. */
export class OpenSet<T> extends OpenMap<T, T> {
  add(value: T): void {
    this.set(value, value);
  }
}
