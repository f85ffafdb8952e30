import { mergedFigures, type Figures } from '../figures.ts';
import { blockMs, type Level } from './levels.ts';

/** Looks are merged into the file after so many at the latest, because a clock that stands still ends no minute. */
const MAX_OPEN_LOOKS = 1800;

/** Looks that are not yet merged into a level of the file. They are in the file as looks, so that a kill loses none. */
export class OpenLevel {
  readonly level: Level;
  /** By series, then by number of the step since 1970. */
  readonly #steps = new Map<number, Map<number, Figures>>();
  #period: number | undefined;
  #looks = 0;

  constructor(level: Level) {
    this.level = level;
  }

  /** Whether what is open has to be written before a look of that time is taken. The clock may have gone either way. */
  isDue(at: number): boolean {
    return (
      this.#period !== undefined && (this.#period !== this.#periodOf(at) || this.#looks >= MAX_OPEN_LOOKS)
    );
  }

  /** Counts a look that is about to be added, with or without figures. */
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

  /** All that is open, by the block of the file that it belongs to: the keys are places in the block. */
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

/** When the step at this place of a block began. */
export const stepBegan = (level: Level, block: number, place: number): number =>
  block * blockMs(level) + place * level.stepMs;
