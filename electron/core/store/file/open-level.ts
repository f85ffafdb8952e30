import { mergedFigures, type Figures } from '../figures.ts';
import { blockMs, type Level } from './levels.ts';

/**
 * Maximum number of samples in memory before they are merged into the file. It applies if the clock does not advance, because
 * then the current interval would never end.
 */
const MAX_OPEN_LOOKS = 1800;

/**
 * Samples in memory that are not merged into a level (minutes or quarter hours) of the file yet. The file already contains them
 * as single samples, so a kill loses none.
 */
export class OpenLevel {
  readonly level: Level;
  /** Figures by series, then by step (the number of the minute or quarter hour, counted from 1970). */
  readonly #steps = new Map<number, Map<number, Figures>>();
  #period: number | undefined;
  #looks = 0;

  constructor(level: Level) {
    this.level = level;
  }

  /**
   * True if the samples in memory must be merged into the file before a sample of time `at` is added, because `at` belongs to
   * another interval (the clock may also have jumped) or there are too many samples.
   */
  isDue(at: number): boolean {
    return (
      this.#period !== undefined && (this.#period !== this.#periodOf(at) || this.#looks >= MAX_OPEN_LOOKS)
    );
  }

  /** Counts a sample that is about to be added, even if it has no figures. */
  begin(at: number): void {
    this.#period ??= this.#periodOf(at);
    this.#looks += 1;
  }

  add(at: number, series: number, figures: Figures): void {
    const step = Math.floor(at / this.level.stepMs);
    const steps = this.#steps.get(series) ?? new Map<number, Figures>();
    this.#steps.set(series, steps);
    steps.set(step, mergedFigures(steps.get(step) ?? [], figures));
  }

  stepsOf(series: number): ReadonlyMap<number, Figures> {
    return this.#steps.get(series) ?? new Map<number, Figures>();
  }

  /**
   * Returns all steps (minutes or quarter hours) that are not merged into the file yet, grouped by series and block of the
   * file. The keys of `steps` are positions in the block.
   */
  *blocks(): Generator<{ series: number; block: number; steps: Map<number, Figures> }> {
    const { stepsInBlock } = this.level;
    for (const [series, steps] of this.#steps) {
      const blocks = new Map<number, Map<number, Figures>>();
      for (const [step, figures] of steps) {
        const block = Math.floor(step / stepsInBlock);
        const inBlock = blocks.get(block) ?? new Map<number, Figures>();
        blocks.set(block, inBlock.set(step - block * stepsInBlock, figures));
      }
      for (const [block, inBlock] of blocks) yield { series, block, steps: inBlock };
    }
  }

  clear(): void {
    this.#steps.clear();
    this.#period = undefined;
    this.#looks = 0;
  }

  #periodOf(at: number): number {
    return Math.floor(at / this.level.rollEveryMs);
  }
}

/** Returns the start of the step at this position of a block. */
export const stepBegan = (level: Level, block: number, place: number): number =>
  block * blockMs(level) + place * level.stepMs;
