/** Who has ever called a server over one connection, for as long as that lasts. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** It calls. */
  note(caller: string): void {
    this.#first ??= caller;
    this.#areSeveral ||= this.#first !== caller;
  }

  /** Whether anybody else ever has. */
  includeOther(caller: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== caller);
  }
}
