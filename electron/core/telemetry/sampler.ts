import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { HostedRun } from '../platform/hosted-run.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import {
  advanceWindow,
  type CpuWindow,
  ifKnown,
  type LookTime,
  sampleTree,
  type TreeMemory,
  type TreeSample,
} from './tree-sample.ts';
import type { ContainerReading } from '../platform/containers/container-reading.ts';

/**
 * One run to be sampled. `key` identifies the run, and `pid` is the root of its process tree. If the source of its figures
 * changes while `key` stays the same, it counts as a different run.
 */
export interface SampleTarget {
  readonly key: string;
  /** Root of the process tree; undefined if the run has no process on this machine. */
  readonly pid: number | undefined;
  /** Figures of the container whose client is the process tree; undefined if the tree is the server itself. */
  readonly figures?: HostedRun['figures'];
}

type SampleSource = number | NonNullable<HostedRun['figures']>;

/** Returns the source from which the run is sampled: its pid, otherwise its figures; undefined if it has neither. */
export const sourceOf = ({ pid, figures }: Omit<SampleTarget, 'key'>): SampleSource | undefined =>
  pid ?? figures;

interface TelemetrySamplerOptions {
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly targets: () => readonly SampleTarget[];
  /** Returns the milliseconds between two samples; called before each sample, and at every `poke`. */
  readonly intervalMs: () => number;
  /** Called with one sample's process trees, by key. Trees whose root has ended are missing. May contain only new targets. */
  readonly onTick: (samples: ReadonlyMap<string, TreeSample>) => void;
  /** Called when sampling failed or `onTick` threw. Sampling continues; further failures are reported only after a success. */
  readonly onError: (error: unknown) => void;
}

/** Minimum ms between the last sample and a sample of new targets, so that a hundred starting servers share a few samples. */
const NEW_TARGET_GAP_MS = 250;

interface KnownTarget {
  readonly source: SampleSource | undefined;
  /** State that the last sample keeps for the next one; undefined if the last sample did not find the process. */
  readonly memory?: TreeMemory;
  readonly container?: ContainerMemory;
  readonly look?: TargetLook;
}

/**
 * Last sample of a target and the sample before it (`before`). `before` itself has no `before`, because otherwise a chain of
 * all samples would stay in memory.
 */
interface TargetLook {
  readonly tree: TreeSample;
  readonly nowMs: number;
  readonly before?: Omit<TargetLook, 'before'>;
}

/** Samples all targets with one timer, never two samples at a time. Without targets there is no timer. */
export class TelemetrySampler {
  readonly #options: TelemetrySamplerOptions;
  /** Targets by key for which at least one sample was taken or attempted. */
  readonly #known = new Map<string, KnownTarget>();
  #timer: Disposable | undefined;
  /** Start of the last full sample, and of the last sample of any kind, in monotonic ms. */
  #lastFullMs: number | undefined;
  #lastLookMs: number | undefined;
  #isLooking = false;
  /** Whether the last sample failed, in which case a further failure is not reported. */
  #isFailing = false;
  #isDisposed = false;

  constructor(options: TelemetrySamplerOptions) {
    this.#options = options;
  }

  /** Must be called when targets or interval change, to sample a new target soon and apply a shorter interval immediately. */
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

  /** Returns the last sample of the target; undefined before its first sample, and for a different source under the same key. */
  lookOf(target: SampleTarget): TargetLook | undefined {
    return this.#isKnown(target) ? this.#known.get(target.key)?.look : undefined;
  }

  /** Stops the timer. A sample in progress is dropped. Idempotent. */
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

  /**
   * Returns all targets if a full sample is due, otherwise only the new targets. The others are not sampled early, because
   * their CPU use must be measured over a sufficiently long time.
   */
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
    // Targets are recorded before the sample, so that a process table that fails is retried after the interval and not
    // immediately.
    for (const target of targets)
      if (!this.#isKnown(target)) this.#known.set(target.key, { source: sourceOf(target) });
    const pids = targets.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    const trees = pids.length > 0 ? await table.readTrees(pids) : new Map<number, never>();
    const samples = new Map<string, TreeSample>();
    for (const { key, pid, figures } of targets) {
      const known = this.#known.get(key);
      const source = sourceOf({ pid, figures });
      const readings = pid === undefined ? [] : trees.get(pid);
      if (known === undefined || known.source !== source) continue; // While the sample was taken, the target was removed, or its source was replaced.
      if (readings === undefined) this.#known.set(key, { source });
      else {
        const { tree: client, memory } = sampleTree(known.memory, readings, time);
        const inside = figures && sampleContainer(client, figures.read(), known.container, time);
        const tree = inside?.tree ?? client;
        const before = known.look && { tree: known.look.tree, nowMs: known.look.nowMs };
        const look = { tree, nowMs: time.nowMs, ...(before && { before }) };
        this.#known.set(key, { source, memory, ...(inside?.memory && { container: inside.memory }), look });
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

  #isKnown(target: SampleTarget): boolean {
    const known = this.#known.get(target.key);
    return known !== undefined && known.source === sourceOf(target);
  }

  #fullDueMs(): number {
    return this.#lastFullMs === undefined ? -Infinity : this.#lastFullMs + this.#options.intervalMs();
  }

  /** Moves the schedule past samples that became due while another one was in progress. */
  #skipMissed(): void {
    if (this.#lastFullMs === undefined) return;
    const intervalMs = this.#options.intervalMs();
    const missed = Math.floor((this.#options.clock.now() - this.#lastFullMs) / intervalMs);
    this.#lastFullMs += missed * intervalMs;
  }
}

/** State that a sample of a container keeps for the next one. */
interface ContainerMemory {
  readonly reading: ContainerReading;
  readonly window: CpuWindow;
  /** Last known CPU use; it is kept until the engine reports a newer one. */
  readonly cpuPercent?: number | undefined;
}

/** @param reading the container's figures; undefined if the engine reports none @param before what the previous sample left */
export function sampleContainer(
  client: TreeSample,
  reading: ContainerReading | 'out-of-reach' | undefined,
  before: ContainerMemory | undefined,
  { epochMs: at }: LookTime,
): { readonly tree: TreeSample; readonly memory?: ContainerMemory } {
  if (reading === undefined || reading === 'out-of-reach') {
    const { processCount } = client.sample;
    // The container is out of reach, so its silence must not count against the server. `isHeld` has this effect.
    const facts = reading === undefined ? client.facts : { ...client.facts, isHeld: true as const };
    return { tree: { ...client, sample: { at, processCount }, facts, isContainer: true } };
  }
  const usedCpuMs = usedBetween(before?.reading, reading);
  const window = advanceWindow(before?.window, usedCpuMs, reading.atMs);
  const cpuPercent = reading.cpuPercent ?? window.cpuPercent ?? before?.cpuPercent;
  const { newProcesses, isHeld, stoppedServer } = client.facts;
  const stopped = stoppedServer ?? (reading.isPaused ? pausedServer(client, reading) : undefined);
  return {
    memory: { reading, window, cpuPercent },
    tree: {
      sample: {
        at,
        ...ifKnown('memoryBytes', reading.memoryBytes),
        ...ifKnown('cpuPercent', cpuPercent),
        processCount: reading.processCount,
      },
      facts: {
        newProcesses,
        // Without a CPU time, the container's work cannot be observed.
        reachesOut: reading.cpuTimeMs === undefined,
        ...(isHeld && { isHeld }),
        ...(reading.isAtWork && { isAtWork: true }),
        ...(stopped && { stoppedServer: stopped }),
        ...ifKnown('usedCpuMs', usedCpuMs),
      },
      readings: client.readings,
      isContainer: true,
    },
  };
}

function usedBetween(
  before: ContainerReading | undefined,
  { cpuTimeMs }: ContainerReading,
): number | undefined {
  return before?.cpuTimeMs === undefined || cpuTimeMs === undefined
    ? undefined
    : Math.max(0, cpuTimeMs - before.cpuTimeMs);
}

/** Describes a paused container as the stopped process that should answer; its CPU time shows whether it has run since. */
function pausedServer({ readings: [client] }: TreeSample, { cpuTimeMs = 0 }: ContainerReading) {
  const { pid = 0, startTime = '' } = client ?? {};
  return { pid, startTime, cpuTimeMs, by: 'engine' as const };
}
