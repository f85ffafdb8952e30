/** A failure the person can do something about: shown without a stack, with the remedy on a line of its own. */
export class ScriptError extends Error {
  /**
   * @param {string} message names the thing, what was expected and what was found
   * @param {string} [remedy] what to do about it
   */
  constructor(message, remedy) {
    super(message);
    this.name = 'ScriptError';
    this.remedy = remedy;
  }
}
