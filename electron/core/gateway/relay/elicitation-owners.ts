/** More are forgotten, the oldest first: a server that never says that one is over would fill memory. */
const MAX_KNOWN = 1000;

/** Which session each question of a server that is answered elsewhere (mode `url`) was put to, by its `elicitationId`. */
export class ElicitationOwners {
  readonly #owners = new Map<string, string | undefined>();

  /** @param session its nonce. An id that two sessions were given belongs to nobody, because it cannot be told whose is meant. */
  note(elicitationId: unknown, session: string): void {
    if (typeof elicitationId !== 'string') return;
    const isTaken = this.#owners.has(elicitationId) && this.#owners.get(elicitationId) !== session;
    this.#owners.set(elicitationId, isTaken ? undefined : session);
    if (this.#owners.size <= MAX_KNOWN) return;
    for (const oldest of this.#owners.keys()) return void this.#owners.delete(oldest);
  }

  /** The ids in the `data` of an error −32042, which tells the client to open an address first. */
  noteAll(errorData: unknown, session: string): void {
    const listed = (errorData as { elicitations?: unknown } | null | undefined)?.elicitations;
    if (!Array.isArray(listed)) return;
    for (const item of listed as readonly unknown[])
      this.note((item as { elicitationId?: unknown } | null)?.elicitationId, session);
  }

  /** The nonce of the session that is waiting for it. */
  ownerOf(elicitationId: unknown): string | undefined {
    return typeof elicitationId === 'string' ? this.#owners.get(elicitationId) : undefined;
  }
}
