/** Undoes what was built, in reverse order. One step that fails never keeps the others from running. */
export class DisposeStack {
  readonly #steps: (() => unknown)[] = [];
  #isDisposed = false;

  /** True from the moment `dispose` was called: nothing is to be built any more. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Registers the undo of what was just built. */
  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Awaits each step. A second call does nothing more. @throws AggregateError of all that failed. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be released');
  }
}
