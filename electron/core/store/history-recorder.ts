import type { Sample } from '../../../shared/domain.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { EndedCall } from '../telemetry/calls/ended-call.ts';
import type { HistorySink } from './history-sink.ts';

export interface HistoryRecorderOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly sink: HistorySink;
}

/** A look at the trees is due every second; what came outside of one waits as long. */
const WAIT_MS = 1000;

/** Brings what the panel sees of its servers into the form that the history keeps. The caller disposes. */
export class HistoryRecorder {
  readonly #options: HistoryRecorderOptions;
  /** Samples since the last tick, the latest of each server. */
  readonly #waiting = new Map<string, Sample>();
  #timer: Disposable | undefined;

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
  }

  /** Keeps a sample for the next tick, which comes with the end of the look, or in a second where nobody looks. */
  sampled(server: string, sample: Sample): void {
    this.#waiting.set(server, sample);
    this.#timer ??= this.#options.clock.setTimeout(() => this.lookDone(), WAIT_MS);
  }

  /** All servers of one look were told. */
  lookDone(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const samples = [...this.#waiting].map(([server, sample]) => ({ server, sample }));
    this.#waiting.clear();
    // The time of the look, not of its end: what is read back stands where the live curve had it.
    this.#options.sink.tick(Math.max(...samples.map(({ sample }) => sample.at)), samples);
  }

  /** A call is over, for the client that made it or, without one, as the connection to the server saw it. */
  callEnded(server: string, { outcome, durationMs }: EndedCall, client?: string): void {
    const at = this.#options.wallClock.epochMs();
    this.#options.sink.callEnded({
      at,
      server,
      outcome,
      durationMs,
      ...(client !== undefined && { client }),
    });
  }

  /** The configurations that are in force from now on. A remote server has no processes to limit. */
  configured(configs: readonly ServerConfig[]): void {
    const at = this.#options.wallClock.epochMs();
    for (const { name, transport, panel } of configs) {
      const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = panel.limits;
      if (transport === 'stdio')
        this.#options.sink.limits(at, name, { maxMemoryMiB, maxCpuPercent, maxOpenFiles });
    }
  }

  /** Hands over what waits. */
  dispose(): void {
    this.lookDone();
  }
}
