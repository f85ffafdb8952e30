import type { Sample, ServerView } from '../../../../shared/domain.ts';
import type { Disposable } from '../../clock.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import { atEndOf, type AtEnd } from './run-log.ts';
import { RunWatch, type RunWatchOptions } from './run-watch.ts';

interface LiveRunOptions extends Omit<RunWatchOptions, 'connection' | 'atEnd'> {
  /** Epoch milliseconds of the handshake. */
  readonly runningSince: number;
  readonly connection: McpConnection | undefined;
}

/** One run from its handshake to the beginning of its end, when its owner disposes it. */
export class LiveRun implements Disposable {
  readonly #options: LiveRunOptions;
  readonly #watch: RunWatch | undefined;
  readonly #upSinceMs: number;
  /** Last sample of the run's process tree; undefined before a sample was taken. */
  #sample: Sample | undefined;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    this.#upSinceMs = options.clock.now();
    const { connection } = options;
    this.#watch = connection && new RunWatch({ ...options, connection, atEnd: () => this.atEnd() });
  }

  view(): Pick<ServerView, 'runningSince'> & ReturnType<RunWatch['view']> {
    return { runningSince: this.#options.runningSince, ...this.#watch?.view() };
  }

  /** Milliseconds since the last use ended; without one, since the run was up. Undefined while it is in use. */
  get idleMs(): number | undefined {
    const { clock, connection } = this.#options;
    if (connection?.use.isInUse) return undefined;
    return clock.now() - Math.max(this.#upSinceMs, connection?.use.lastUseAtMs ?? 0);
  }

  sampled(tree: TreeSample): void {
    this.#sample = tree.sample;
    // No verdict hangs on the figures of a server that is not ours.
    if (this.#options.config.transport === 'stdio') this.#watch?.sampled(tree);
  }

  atEnd(): AtEnd {
    const { clock, connection, settings } = this.#options;
    const calls = connection?.ledger.inFlightAt(clock.now()) ?? [];
    return atEndOf(calls, this.#sample, settings().limits);
  }

  resumed(): void {
    this.#watch?.resumed();
  }

  dispose(): void {
    this.#watch?.dispose();
  }
}
