/** All callers of a server over one connection, for its whole life. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** Records a caller. */
  note(caller: string): void {
    this.#first ??= caller;
    this.#areSeveral ||= this.#first !== caller;
  }

  /** True if any other caller was recorded. */
  includeOther(caller: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== caller);
  }
}
