import type { CountedOutcome } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type { LimitsInForce } from '../../../shared/history.ts';
import type { AuditEntry } from './store-messages.ts';
import type { HistorySource } from './history-source.ts';

/** One sample of one server, taken in the sampling of a tick. */
export interface ServerSample {
  readonly server: string;
  readonly sample: Sample;
}

/**
 * A finished call. With `client`, it is recorded as seen by that MCP client; without `client`, as seen by the server
 * connection, for all callers. A client's call is recorded in both ways.
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
  /**
   * Records one sampling of all servers, at most once a second. Each sample is passed once and recorded with the time `at`,
   * not with its own time.
   */
  tick(at: number, samples: readonly ServerSample[]): void;
  event(event: PanelEvent): void;
  callEnded(call: RecordedCall): void;
  audited(entry: AuditEntry): void;
  /** Records the limits in force from now on; unchanged ones are not written. */
  limits(at: number, server: string, limits: Omit<LimitsInForce, 'server' | 'from'>): void;
}

/** History in a file, or in memory when there is no file. The caller disposes. */
export interface RecordingStore extends HistorySource, HistorySink {
  /** Resolves when everything recorded so far is in the file, or when it cannot be written now. */
  flush(): Promise<void>;
  /** Writes pending data and closes the file, within a time limit. Idempotent. */
  dispose(): Promise<void>;
}
