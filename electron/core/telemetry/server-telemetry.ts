import type { Sample } from '../../../shared/domain.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, WallClock } from '../clock.ts';
import type { CurrentTask } from '../current-task.ts';
import type { HostedRun } from '../platform/hosted-run.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import { type SampleTarget, sourceOf, TelemetrySampler } from './sampler.ts';
import { ifKnown, type TreeSample, processFigures, type ProcessFigures } from './tree-sample.ts';
import { treeMemoryBytes, treeSharedBytes } from '../platform/tree-memory.ts';
import { sumOf } from './tree-facts.ts';

/** Instance of a server, as far as sampling is concerned: it has a process tree to be sampled, and receives the samples. */
interface SampledInstance {
  readonly name: string;
  readonly config: { readonly transport: ServerConfig['transport'] };
  readonly run: { readonly pid?: number | undefined; readonly figures?: HostedRun['figures'] } | undefined;
  readonly connection: object | undefined;
  sampled(tree: TreeSample): void;
}

interface ServerTelemetryOptions {
  readonly clock: Clock;
  readonly currentTask: CurrentTask;
  readonly wallClock: WallClock;
  readonly table: ProcessTable;
  readonly supervisors: () => readonly SampledInstance[];
  /** Returns the replicas of a server (further instances of it), whose figures are included in those of the server. */
  readonly further?: (server: string) => readonly SampledInstance[];
  readonly onSampled: (name: string) => void;
  /** Called with each sample that is kept for a server; before `onTickDone` if it belongs to a process sample. */
  readonly onKept?: (name: string, sample: Sample) => void;
  /** Called after the samples taken at one time have been processed for all servers. */
  readonly onTickDone: () => void;
  readonly onError: (error: unknown) => void;
}

interface InstanceProcesses {
  readonly instance: string;
  readonly at: number;
  /** Processes, root first, parents before children. */
  readonly processes: readonly ProcessFigures[];
}

/** Sampling interval in ms. It does not depend on whether the app window is visible, because limits apply to every server. */
const SAMPLE_INTERVAL_MS = 1000;

/** Samples of all servers: the latest one and those of the last hour. Each sample is passed to its supervisor first. */
export class ServerTelemetry {
  readonly #options: ServerTelemetryOptions;
  readonly #sampler: TelemetrySampler;
  readonly #history = new Map<string, SampleRing>();
  readonly #latest = new Map<string, Sample>();

  constructor(options: ServerTelemetryOptions) {
    this.#options = options;
    const { clock, currentTask, wallClock, table, onError } = options;
    this.#sampler = new TelemetrySampler({
      clock,
      wallClock,
      table,
      targets: () => this.#targets(),
      intervalMs: () => Math.max(SAMPLE_INTERVAL_MS, table.leastIntervalMs ?? 0),
      onTick: (samples) => currentTask.run('sample', undefined, () => this.#take(samples)),
      onError,
    });
  }

  latest(name: string): Sample | undefined {
    return this.#latest.get(name);
  }

  /** Returns the samples that this app run took at `sinceEpochMs` or later, in the order in which they were taken. */
  history(name: string, sinceEpochMs: number): readonly Sample[] {
    return this.#history.get(name)?.since(sinceEpochMs) ?? [];
  }

  /** Returns the processes of a server and of its replicas, from the last sample of each. */
  processes(name: string): readonly InstanceProcesses[] {
    const supervisor = this.#options.supervisors().find((one) => one.name === name);
    if (supervisor === undefined) return [];
    return this.#instancesOf(supervisor).flatMap((instance) => {
      const look = this.#sampler.lookOf(targetOf(instance));
      if (look === undefined) return [];
      const { tree, nowMs, before } = look;
      const earlier = before && { nowMs: before.nowMs, readings: before.tree.readings };
      const processes = processFigures({ nowMs, readings: tree.readings }, earlier);
      return [{ instance: instance.name, at: tree.sample.at, processes }];
    });
  }

  /** Records a health check's round trip, the only figure of a remote server, because it has no processes to sample. */
  probeAnswered(name: string, rttMs: number): void {
    const sample = { at: this.#options.wallClock.epochMs(), rttMs, processCount: 0 };
    this.#keep(name, sample);
    this.#options.onSampled(name);
  }

  /** Must be called after servers have started or stopped, so that the right processes are sampled. */
  poke(): void {
    this.#sampler.poke();
  }

  forget(name: string): void {
    this.#latest.delete(name);
    this.#history.delete(name);
  }

  dispose(): void {
    this.#sampler.dispose();
  }

  #targets(): SampleTarget[] {
    return this.#options.supervisors().flatMap((supervisor) => {
      if (!hasFigures(supervisor)) this.#latest.delete(supervisor.name);
      const targets = this.#instancesOf(supervisor).map(targetOf);
      return targets.filter((target) => sourceOf(target) !== undefined);
    });
  }

  #take(samples: ReadonlyMap<string, TreeSample>): void {
    for (const supervisor of this.#options.supervisors()) {
      const instances = this.#instancesOf(supervisor);
      let isSampled = false;
      for (const instance of instances) {
        const tree = samples.get(instance.name);
        if (tree) instance.sampled(tree);
        isSampled ||= tree !== undefined;
      }
      if (!isSampled) continue;
      const [first, ...others] = instances.flatMap(
        (instance) => this.#sampler.lookOf(targetOf(instance))?.tree ?? [],
      );
      if (first) this.#keep(supervisor.name, combineTrees([first, ...others]));
      this.#options.onSampled(supervisor.name);
    }
    this.#options.onTickDone();
  }

  #keep(name: string, sample: Sample): void {
    this.#latest.set(name, sample);
    const ring = this.#history.get(name) ?? new SampleRing(MAX_SAMPLES);
    this.#history.set(name, ring);
    ring.add(sample);
    this.#options.onKept?.(name, sample);
  }

  #instancesOf(supervisor: SampledInstance): readonly SampledInstance[] {
    return [supervisor, ...(this.#options.further?.(supervisor.name) ?? [])];
  }
}

/** True if there is a process tree to sample, or a connection to a remote server. */
export function hasFigures(instance: SampledInstance): boolean {
  const { config, connection } = instance;
  return (
    sourceOf(targetOf(instance)) !== undefined || (config.transport !== 'stdio' && connection !== undefined)
  );
}

const targetOf = ({ name, run }: SampledInstance): SampleTarget => ({
  key: name,
  pid: run?.pid,
  figures: run?.figures,
});

/** Adds up the samples of several process trees of one server. Memory that the trees share is counted only once. */
function combineTrees(trees: readonly [TreeSample, ...TreeSample[]]): Sample {
  const [first, ...others] = trees;
  if (others.length === 0) return first.sample;
  const samples = trees.map(({ sample }) => sample);
  const readings = trees.flatMap((tree) => (tree.isContainer ? [] : tree.readings));
  const inContainers = trees.flatMap((tree) => (tree.isContainer ? [tree.sample.memoryBytes] : []));
  return {
    at: Math.max(...samples.map(({ at }) => at)),
    ...ifKnown('memoryBytes', sumOf([treeMemoryBytes(readings), ...inContainers])),
    ...ifKnown('sharedMemoryBytes', treeSharedBytes(readings)),
    ...ifKnown('cpuPercent', sumOf(samples.map(({ cpuPercent }) => cpuPercent))),
    ...ifKnown('openFiles', sumOf(samples.map(({ openFiles }) => openFiles))),
    processCount: samples.reduce((sum, { processCount }) => sum + processCount, 0),
  };
}

/** Maximum samples kept per server: one hour at the highest rate, one per second. */
const MAX_SAMPLES = 3600;

const FIELDS = ['at', 'processCount', 'memoryBytes', 'cpuPercent', 'openFiles', 'rttMs'] as const;

const FIRST_CAPACITY = 64;

/**
 * Ring buffer of the last samples, 48 bytes each; as objects, an hour of samples would take half a megabyte. Grows by doubling.
 */
export class SampleRing {
  readonly #capacity: number;
  #room: number;
  /** Rows of `FIELDS`, one per sample; NaN stands for an unknown figure. */
  #rows: Float64Array;
  #added = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#room = Math.min(FIRST_CAPACITY, capacity);
    this.#rows = new Float64Array(this.#room * FIELDS.length);
  }

  add(sample: Sample): void {
    if (this.#added === this.#room && this.#room < this.#capacity) this.#grow();
    const row = FIELDS.map((field) => sample[field] ?? Number.NaN);
    this.#rows.set(row, (this.#added % this.#room) * FIELDS.length);
    this.#added += 1;
  }

  /** Returns the samples since `epochMs` in the order they were added, because the wall clock may have been set back. */
  since(epochMs: number): readonly Sample[] {
    const samples: Sample[] = [];
    for (let index = Math.max(0, this.#added - this.#room); index < this.#added; index += 1) {
      const start = (index % this.#room) * FIELDS.length;
      if ((this.#rows[start] ?? 0) >= epochMs) samples.push(this.#read(start));
    }
    return samples;
  }

  #read(start: number): Sample {
    const [at = 0, processCount = 0, ...figures] = this.#rows.subarray(start, start + FIELDS.length);
    const [memoryBytes, cpuPercent, openFiles, rttMs] = figures.map((value) =>
      Number.isNaN(value) ? undefined : value,
    );
    return {
      at,
      ...ifKnown('memoryBytes', memoryBytes),
      ...ifKnown('cpuPercent', cpuPercent),
      ...ifKnown('openFiles', openFiles),
      ...ifKnown('rttMs', rttMs),
      processCount,
    };
  }

  /** Doubles the size. Must be called before any sample is overwritten, because only until then are the rows chronological. */
  #grow(): void {
    this.#room = Math.min(this.#capacity, this.#room * 2);
    const rows = new Float64Array(this.#room * FIELDS.length);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}
