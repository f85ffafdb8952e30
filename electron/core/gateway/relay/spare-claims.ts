/** Who has which of the spares of one slot: numbers from 1 on, each for one session while there is room for more. */
export class SpareClaims {
  /** Nonces of sessions by number. */
  readonly #claims = new Map<number, Set<string>>();

  /**
   * The lowest number that nobody has, if there is room for it; else the lowest that the others leave idle. Undefined where
   * there is neither. A session has one number at a time.
   */
  claim(
    nonce: string,
    can: { readonly open: (number: number) => boolean; readonly share: (number: number) => boolean },
  ): number | undefined {
    this.release(nonce);
    const free = this.#lowestFree();
    const shared = [...this.#claims.keys()].sort((one, other) => one - other);
    const number = can.open(free) ? free : shared.find((taken) => can.share(taken));
    if (number === undefined) return undefined;
    this.#claims.set(number, (this.#claims.get(number) ?? new Set()).add(nonce));
    return number;
  }

  /** Idempotent. */
  release(nonce: string): void {
    for (const [number, nonces] of this.#claims)
      if (nonces.delete(nonce) && nonces.size === 0) this.#claims.delete(number);
  }

  #lowestFree(): number {
    let number = 1;
    while (this.#claims.has(number)) number += 1;
    return number;
  }
}
