/** Kinds of problems, which can occur at the same time. */
export type ProblemAbout = 'open' | 'write' | 'file' | 'loss' | 'worker';

/** Current problems. Each sentence is reported once, until it is resolved and occurs again. */
export class ProblemBook {
  readonly #tell: (sentence: string) => void;
  readonly #problems = new Map<ProblemAbout, string>();

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  /** All current problems as one text; undefined for none. */
  get sentence(): string | undefined {
    return this.#problems.size === 0 ? undefined : [...this.#problems.values()].join(' ');
  }

  tell(about: ProblemAbout, sentence: string): void {
    if (this.#problems.get(about) === sentence) return;
    this.#problems.set(about, sentence);
    this.#tell(sentence);
  }

  isOver(about: ProblemAbout): void {
    this.#problems.delete(about);
  }
}
