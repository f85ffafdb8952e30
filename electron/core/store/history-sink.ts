import type { CountedOutcome } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type { LimitsInForce } from '../../../shared/history.ts';
import type { HistorySource } from './history-source.ts';

/** One sample of one server, taken in the look that a tick stands for. */
export interface ServerSample {
  readonly server: string;
  readonly sample: Sample;
}

/**
 * A call that is over for its caller: with `client` as a client of the gateway saw it, without as the connection to the server
 * did, whoever asked. What a client asks is told in both ways.
 */
export interface RecordedCall {
  readonly at: number;
  readonly server: string;
  readonly client?: string;
  readonly outcome: CountedOutcome;
  readonly durationMs: number;
}

/**
 * Takes what happens, to be kept. Each call appends to memory and returns: nothing is written, waited for or thrown. All
 * times are epoch milliseconds.
 */
export interface HistorySink {
  /** One look at all servers, at most once a second; each sample is handed in once. It counts at `at`, whatever its own time. */
  tick(at: number, samples: readonly ServerSample[]): void;
  event(event: PanelEvent): void;
  callEnded(call: RecordedCall): void;
  /** The limits that are in force from now on; what does not differ from the ones before is not written. */
  limits(at: number, server: string, limits: Omit<LimitsInForce, 'server' | 'from'>): void;
}

/** The past in a file, or in memory where there is none. The caller disposes. */
export interface RecordingStore extends HistorySource, HistorySink {
  /** Resolves when everything so far is in the file, or cannot be now. */
  flush(): Promise<void>;
  /** Writes what waits and closes the file, within a bound of time. Idempotent. */
  dispose(): Promise<void>;
}
