import type { Sample } from '../../../shared/domain.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import type { EndedCall } from '../telemetry/calls/call-totals.ts';
import type { AuditEntry } from './store-messages.ts';
import type { PendingBatch } from './pending-batch.ts';

export interface HistoryRecorderOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly sink: Pick<PendingBatch, 'tick' | 'callEnded' | 'audited' | 'limits'>;
}

/** Milliseconds that a sample waits for the end of the scan of all servers. They equal the interval between samples. */
const WAIT_MS = 1000;

/** Converts what happens to servers (samples, calls, limits) to entries of the history. The caller disposes of this object. */
export class HistoryRecorder {
  readonly #options: HistoryRecorderOptions;
  /** Latest sample of each server that is not passed to the history yet, by server name. */
  readonly #waiting = new Map<string, Sample>();
  #timer: Disposable | undefined;

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
  }

  /** Keeps a sample until the scan of all servers ends, or for a second at most if no scan is running. */
  sampled(server: string, sample: Sample): void {
    this.#waiting.set(server, sample);
    this.#timer ??= this.#options.clock.setTimeout(() => this.lookDone(), WAIT_MS);
  }

  /** Called at the end of each scan of all servers: passes the samples kept since the previous scan to the history. */
  lookDone(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const samples = [...this.#waiting].map(([server, sample]) => ({ server, sample }));
    this.#waiting.clear();
    // The time of the samples is used, so that a stored curve has the same points as the live curve.
    this.#options.sink.tick(Math.max(...samples.map(({ sample }) => sample.at)), samples);
  }

  /** Records a finished call as seen by the MCP client `client` or, without `client`, by the server connection. */
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

  /** Records a call of a tool by a client. */
  audited(entry: Omit<AuditEntry, 'at'>): void {
    this.#options.sink.audited({ at: this.#options.wallClock.epochMs(), ...entry });
  }

  /** Records the limits of the current configurations. A remote server has no processes to limit. */
  configured(configs: readonly ServerConfig[]): void {
    const at = this.#options.wallClock.epochMs();
    for (const { name, transport, panel } of configs) {
      const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = panel.limits;
      if (transport === 'stdio')
        this.#options.sink.limits({ server: name, from: at, maxMemoryMiB, maxCpuPercent, maxOpenFiles });
    }
  }

  /** Sends the waiting samples. */
  dispose(): void {
    this.lookDone();
  }
}
