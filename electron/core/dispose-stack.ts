/** Runs clean-up steps in reverse order. A failed step does not prevent the others. */
export class DisposeStack {
  readonly #steps: (() => unknown)[] = [];
  #disposal?: Promise<void>;

  /** True once `dispose` was called; the owner must not create anything after that. */
  get isDisposed(): boolean {
    return this.#disposal !== undefined;
  }

  /** Registers the clean-up of a resource that was just created. */
  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs and awaits each step. A second call returns the promise of the first. @throws AggregateError of all failures */
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
