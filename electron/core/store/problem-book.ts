/** What can be wrong at the same time. */
export type ProblemAbout = 'open' | 'write' | 'file' | 'loss' | 'worker';

/** What is wrong now. Each sentence is told once, until it is over and comes again. */
export class ProblemBook {
  readonly #tell: (sentence: string) => void;
  readonly #problems = new Map<ProblemAbout, string>();

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  /** All of them; undefined for none. */
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
