/** Remembers who has called a server over one connection, from the connection's start to its end. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** Records a caller. */
  note(caller: string): void {
    this.#first ??= caller;
    this.#areSeveral ||= this.#first !== caller;
  }

  /** True if somebody other than `caller` was recorded. */
  includeOther(caller: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== caller);
  }
}
