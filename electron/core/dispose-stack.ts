/** Undoes what was built, in reverse order. One step that fails never keeps the others from running. */
export class DisposeStack {
  readonly #steps: (() => unknown)[] = [];
  #disposal?: Promise<void>;

  /** True from the moment `dispose` was called: nothing is to be built any more. */
  get isDisposed(): boolean {
    return this.#disposal !== undefined;
  }

  /** Registers the undo of what was just built. */
  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Awaits each step; a second call awaits the same. @throws AggregateError of all that failed. */
  dispose(): Promise<void> {
    return (this.#disposal ??= this.#undoAll());
  }

  async #undoAll(): Promise<void> {
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
