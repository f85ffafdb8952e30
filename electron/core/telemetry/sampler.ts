import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import { sampleTree, type TreeMemory, type TreeSample } from './tree-sample.ts';

/** A tree to sample: `key` names it, `pid` is its root. Another pid under the same key is another tree. */
export interface SampleTarget {
  readonly key: string;
  readonly pid: number;
}

export interface TelemetrySamplerOptions {
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly targets: () => readonly SampleTarget[];
  /** Time between two looks; asked anew before each, and at every `poke`. */
  readonly intervalMs: () => number;
  /** The samples of one look, by key. A tree whose root has ended is absent. A new target may come in a look of its own. */
  readonly onTick: (samples: ReadonlyMap<string, TreeSample>) => void;
  /** A look failed, or `onTick` threw. The next looks come all the same, and are told of again once one has succeeded. */
  readonly onError: (error: unknown) => void;
}

/** New targets wait this long since the last look, so that a hundred starting servers do not cause a hundred looks. */
const NEW_TARGET_GAP_MS = 250;

interface KnownTarget {
  readonly pid: number;
  /** State that the last look leaves for the next; absent when it found no such process. */
  readonly memory?: TreeMemory;
}

/** Looks at all targets with one timer, one look at a time. Without targets there is no timer. */
export class TelemetrySampler {
  readonly #options: TelemetrySamplerOptions;
  /** Targets by key: exactly those that at least one look was tried for. */
  readonly #known = new Map<string, KnownTarget>();
  #timer: Disposable | undefined;
  /** Start of the last look at all targets, and of the last one at all. */
  #lastFullMs: number | undefined;
  #lastLookMs: number | undefined;
  #isLooking = false;
  /** Whether the last look failed, because a further failure is no news. */
  #isFailing = false;
  #isDisposed = false;

  constructor(options: TelemetrySamplerOptions) {
    this.#options = options;
  }

  /** Takes up changed targets and intervals: a new target is looked at promptly, a shorter interval holds at once. */
  poke(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#isDisposed || this.#isLooking) return;
    const targets = this.#currentTargets();
    if (targets.length === 0) {
      this.#lastFullMs = undefined;
      return;
    }
    const { clock } = this.#options;
    const hasNewcomers = this.#newcomers(targets).length > 0;
    const newcomersDueMs = hasNewcomers ? (this.#lastLookMs ?? -Infinity) + NEW_TARGET_GAP_MS : Infinity;
    const delayMs = Math.min(this.#fullDueMs(), newcomersDueMs) - clock.now();
    this.#timer = clock.setTimeout(() => void this.#look(), Math.max(0, delayMs));
  }

  /** Ends the timer. A look under way ends in silence. Idempotent. */
  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#known.clear();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    try {
      const samples = await this.#sample(this.#targetsOfLook());
      if (samples !== undefined && !this.#isDisposed) this.#options.onTick(samples);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isDisposed && !this.#isFailing) this.#options.onError(error);
      this.#isFailing = true;
    } finally {
      this.#isLooking = false;
      this.#skipMissed();
      this.poke();
    }
  }

  /** The targets to look at now: all when the full look is due, else the new ones, because a CPU window must not become short. */
  #targetsOfLook(): readonly SampleTarget[] {
    const nowMs = this.#options.clock.now();
    const targets = this.#currentTargets();
    const isFull = nowMs >= this.#fullDueMs();
    if (isFull) this.#lastFullMs = nowMs;
    this.#lastLookMs = nowMs;
    return isFull ? targets : this.#newcomers(targets);
  }

  async #sample(targets: readonly SampleTarget[]): Promise<ReadonlyMap<string, TreeSample> | undefined> {
    if (targets.length === 0) return undefined;
    const { table, clock, wallClock } = this.#options;
    const time = { epochMs: wallClock.epochMs(), nowMs: clock.now() };
    // Targets are known before the look, because a failing table is to be asked again after the interval, and not at once.
    for (const { key, pid } of targets) if (!this.#isKnown({ key, pid })) this.#known.set(key, { pid });
    const trees = await table.readTrees(targets.map(({ pid }) => pid));
    const samples = new Map<string, TreeSample>();
    for (const { key, pid } of targets) {
      const known = this.#known.get(key);
      const readings = trees.get(pid);
      if (known?.pid !== pid) continue; // replaced while we looked
      if (readings === undefined) this.#known.set(key, { pid });
      else {
        const { tree, memory } = sampleTree(known.memory, readings, time);
        this.#known.set(key, { pid, memory });
        samples.set(key, tree);
      }
    }
    return samples;
  }

  #currentTargets(): readonly SampleTarget[] {
    const targets = this.#options.targets();
    const keys = new Set(targets.map(({ key }) => key));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
    return targets;
  }

  #newcomers(targets: readonly SampleTarget[]): readonly SampleTarget[] {
    return targets.filter((target) => !this.#isKnown(target));
  }

  #isKnown({ key, pid }: SampleTarget): boolean {
    return this.#known.get(key)?.pid === pid;
  }

  #fullDueMs(): number {
    return this.#lastFullMs === undefined ? -Infinity : this.#lastFullMs + this.#options.intervalMs();
  }

  /** Looks that fell due while one was under way are left out, not made up for. */
  #skipMissed(): void {
    if (this.#lastFullMs === undefined) return;
    const intervalMs = this.#options.intervalMs();
    const missed = Math.floor((this.#options.clock.now() - this.#lastFullMs) / intervalMs);
    this.#lastFullMs += missed * intervalMs;
  }
}
