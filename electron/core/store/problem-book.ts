/** Kinds of problems, which can occur at the same time. */
type ProblemAbout = 'open' | 'write' | 'file' | 'loss' | 'worker';

/** Current problems. A problem's sentence is reported once, and again only after the problem was resolved and came back. */
export class ProblemBook {
  readonly #tell: (sentence: string) => void;
  readonly #problems = new Map<ProblemAbout, string>();

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  /** Sentences of all current problems as one text; undefined when there are none. */
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
