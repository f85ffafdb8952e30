import type { CountedOutcome } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type { LimitsInForce } from '../../../shared/history.ts';
import type { HistorySource } from './history-source.ts';

/** One sample of one server, taken in the sampling of a tick. */
export interface ServerSample {
  readonly server: string;
  readonly sample: Sample;
}

/**
 * A finished call: with `client` as a client of the gateway saw it, without as the server connection did, for all callers. A
 * client's call is recorded in both ways.
 */
export interface RecordedCall {
  readonly at: number;
  readonly server: string;
  readonly client?: string;
  readonly outcome: CountedOutcome;
  readonly durationMs: number;
}

/**
 * Receiver of data for the history. Each call appends to memory and returns; it writes nothing, does not wait and does not
 * throw. All times are epoch milliseconds.
 */
export interface HistorySink {
  /** Records one sampling of all servers, at most once a second; each sample is passed once. It counts at `at`, not at its own time. */
  tick(at: number, samples: readonly ServerSample[]): void;
  event(event: PanelEvent): void;
  callEnded(call: RecordedCall): void;
  /** Records the limits in force from now on; unchanged ones are not written. */
  limits(at: number, server: string, limits: Omit<LimitsInForce, 'server' | 'from'>): void;
}

/** The history in a file, or in memory when there is none. The caller disposes. */
export interface RecordingStore extends HistorySource, HistorySink {
  /** Resolves when everything so far is in the file, or cannot be written now. */
  flush(): Promise<void>;
  /** Writes pending data and closes the file, within a time limit. Idempotent. */
  dispose(): Promise<void>;
}
