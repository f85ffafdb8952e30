import type { Sample } from '../../../shared/domain.ts';
import type { Clock, WallClock } from '../clock.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { SampleHistory } from './sample-history.ts';
import { TelemetrySampler } from './sampler.ts';
import type { TreeSample } from './tree-sample.ts';

export interface ServerTelemetryOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly table: ProcessTable;
  readonly supervisors: () => readonly ServerSupervisor[];
  readonly onSampled: (name: string) => void;
  /** All servers of one look are done. */
  readonly onTickDone: () => void;
  readonly onError: (error: unknown) => void;
}

/** Limits are armed for every server, so the rate never depends on whether somebody is watching. */
const SAMPLE_INTERVAL_MS = 1000;

/** Samples of all servers: the latest, an hour of history, and each shown to its supervisor first. */
export class ServerTelemetry {
  readonly #options: ServerTelemetryOptions;
  readonly #sampler: TelemetrySampler;
  readonly #history = new SampleHistory();
  readonly #latest = new Map<string, Sample>();

  constructor(options: ServerTelemetryOptions) {
    this.#options = options;
    const { clock, wallClock, table, onError } = options;
    this.#sampler = new TelemetrySampler({
      clock,
      wallClock,
      table,
      targets: () => this.#targets(),
      intervalMs: () => SAMPLE_INTERVAL_MS,
      onTick: (samples) => this.#take(samples),
      onError,
    });
  }

  latest(name: string): Sample | undefined {
    return this.#latest.get(name);
  }

  history(name: string, sinceEpochMs: number): readonly Sample[] {
    return this.#history.since(name, sinceEpochMs);
  }

  /** A remote server answered a probe. It has no processes to look at; how long the answer took is its one figure. */
  probeAnswered(name: string, rttMs: number): void {
    const sample = { at: this.#options.wallClock.epochMs(), rttMs, processCount: 0 };
    this.#latest.set(name, sample);
    this.#history.add(name, sample);
    this.#options.onSampled(name);
  }

  /** Servers have started or stopped. */
  poke(): void {
    this.#sampler.poke();
  }

  forget(name: string): void {
    this.#latest.delete(name);
    this.#history.forget(name);
  }

  dispose(): void {
    this.#sampler.dispose();
  }

  #targets(): { key: string; pid: number }[] {
    return this.#options.supervisors().flatMap((supervisor) => {
      const { name, run } = supervisor;
      if (!hasFigures(supervisor)) this.#latest.delete(name);
      return run?.pid === undefined ? [] : [{ key: name, pid: run.pid }];
    });
  }

  #take(samples: ReadonlyMap<string, TreeSample>): void {
    for (const supervisor of this.#options.supervisors()) {
      const tree = samples.get(supervisor.name);
      if (!tree) continue;
      this.#latest.set(supervisor.name, tree.sample);
      this.#history.add(supervisor.name, tree.sample);
      supervisor.sampled(tree);
      this.#options.onSampled(supervisor.name);
    }
    this.#options.onTickDone();
  }
}

/** There is a process tree to look at, or a session with a remote server. */
export function hasFigures({ run, config, connection }: ServerSupervisor): boolean {
  return run?.pid !== undefined || (config.transport !== 'stdio' && connection !== undefined);
}
