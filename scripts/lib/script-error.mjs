/** Failure that the user can fix. It is shown without a stack trace, with the remedy on its own line. */
export class ScriptError extends Error {
  /**
   * @param {string} message names what failed, what was expected and what was found
   * @param {string} [remedy] what the user can do about the failure
   */
  constructor(message, remedy) {
    super(message);
    this.name = 'ScriptError';
    this.remedy = remedy;
  }
}
