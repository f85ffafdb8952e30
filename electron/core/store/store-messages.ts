import type { AuditRow } from '../../../shared/approvals.ts';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { LimitsInForce } from '../../../shared/history.ts';
import type { QueryOf, HistoryQuestion } from './history-source.ts';

/** One scan of the servers. `values` has one number per metric for each server; NaN if a metric was not measured. */
export interface LookMessage {
  readonly at: number;
  readonly servers: readonly string[];
  readonly values: Float64Array;
}

/** Calls to one server by one client that ended within the minute of `at`. */
export interface CallsMessage {
  readonly at: number;
  readonly server: string;
  readonly client: string | undefined;
  readonly calls: number;
  readonly errors: number;
  /** Number of calls with a meaningful duration (see `isTimed`). Only these count in `minMs`, `sumMs` and `maxMs`. */
  readonly timed: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** A tool call of a client, before the database has assigned an id to it. */
export type AuditEntry = Omit<AuditRow, 'id'>;

/** Data since the previous batch, usually of half a second. The batch is written completely or not at all. */
export interface Batch {
  /** Time at which the batch was sent, in epoch ms. It proves that the panel was running then. */
  readonly at: number;
  /** Monotonic milliseconds since the previous batch. */
  readonly ranMs: number;
  readonly looks: readonly LookMessage[];
  readonly calls: readonly CallsMessage[];
  readonly events: readonly PanelEvent[];
  readonly limits: readonly LimitsInForce[];
  readonly audit?: readonly AuditEntry[];
  /** True if events were lost on the way to the file; the journal has them. */
  readonly hasLostEvents: boolean;
}

/** A question about the history, by name, with its query. */
export type StoreRequest = {
  readonly [Q in HistoryQuestion]: { readonly about: Q; readonly query: QueryOf<Q> };
}[HistoryQuestion];

export interface OpenMessage {
  readonly kind: 'open';
  readonly path: string;
  readonly eventsPath: string;
  readonly maxBytes: number;
  readonly now: number;
}

export type ToWorker =
  | OpenMessage
  | { readonly kind: 'write'; readonly batch: Batch }
  /** Retries the batch that could not be written. */
  | { readonly kind: 'retry'; readonly now: number }
  /** A query with the current time, because the worker has no clock of its own. */
  | { readonly kind: 'ask'; readonly id: number; readonly now: number; readonly question: StoreRequest }
  /** Checks the whole open file, and renames it if it is damaged. */
  | { readonly kind: 'check' }
  /** Checks a whole file that another worker has open. */
  | { readonly kind: 'inspect'; readonly path: string }
  | { readonly kind: 'close' };

export type FromWorker =
  /**
   * `problem`: one sentence for the user that says why there is no file, or why a new one was created. `isLarge`: the file was
   * not checked completely yet, because that takes a second. `isReadOnly`: the file can answer queries but cannot be written
   * for now; `problem` has the reason.
   */
  | {
      readonly kind: 'opened';
      readonly isOpen: boolean;
      readonly isLarge: boolean;
      readonly isReadOnly: boolean;
      readonly problem?: string;
    }
  | { readonly kind: 'inspected'; readonly isSound: boolean }
  /** `problem`: why the batch is not in the file; undefined if it is. If it is not, the worker keeps the batch for a retry. */
  | { readonly kind: 'written'; readonly problem?: string }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  /** The file could not answer. */
  | { readonly kind: 'refused'; readonly id: number }
  /** A problem for the user that is not related to a particular message. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'closed' };
