/** Who has ever called a server over one connection, for as long as that lasts. */
export class LinkCallers {
  #first: string | undefined;
  #areSeveral = false;

  /** The context calls. */
  note(contextId: string): void {
    this.#first ??= contextId;
    this.#areSeveral ||= this.#first !== contextId;
  }

  /** Whether anybody but the context ever has. */
  includeOther(contextId: string): boolean {
    return this.#areSeveral || (this.#first !== undefined && this.#first !== contextId);
  }
}
