import type { AuditRow } from '../../../shared/approvals.ts';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { LimitsInForce } from '../../../shared/history.ts';
import type { QueryOf, HistoryQuestion } from './history-source.ts';

/** One sampling of the servers; `values` has one number per metric for each server, NaN where a metric was not measured. */
export interface LookMessage {
  readonly at: number;
  readonly servers: readonly string[];
  readonly values: Float64Array;
}

/** Calls of one server for one client that ended within the minute of `at`. */
export interface CallsMessage {
  readonly at: number;
  readonly server: string;
  readonly client: string | undefined;
  readonly calls: number;
  readonly errors: number;
  /** Number of calls whose duration shows how long the server takes. */
  readonly timed: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** A call of a tool by a client, before it has a number. */
export type AuditEntry = Omit<AuditRow, 'id'>;

/** Data since the previous batch, mostly of half a second. The batch is written whole or not at all. */
export interface Batch {
  /** Time of day at which the batch was sent, in epoch ms; it proves that the panel was running then. */
  readonly at: number;
  /** Monotonic milliseconds since the previous batch. */
  readonly ranMs: number;
  readonly looks: readonly LookMessage[];
  readonly calls: readonly CallsMessage[];
  readonly events: readonly PanelEvent[];
  readonly limits: readonly LimitsInForce[];
  readonly audit?: readonly AuditEntry[];
  /** True when events were lost on the way to the file; the journal has them. */
  readonly hasLostEvents: boolean;
}

/** A question with its query. */
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
  /** A question with its time of day, because the worker has no clock of its own. */
  | { readonly kind: 'ask'; readonly id: number; readonly now: number; readonly question: StoreRequest }
  /** Checks the whole open file, and sets it aside when it is damaged. */
  | { readonly kind: 'check' }
  /** Checks a whole file that another worker has open. */
  | { readonly kind: 'inspect'; readonly path: string }
  | { readonly kind: 'close' };

export type FromWorker =
  /**
   * `problem`: one sentence for the user that says why there is no file, or why a new one was created. `isLarge`: only the
   * beginning of the file was checked, because a check of all of it takes a second. `isReadOnly`: the file answers queries but
   * cannot be written for now, as `problem` says.
   */
  | {
      readonly kind: 'opened';
      readonly isOpen: boolean;
      readonly isLarge: boolean;
      readonly isReadOnly: boolean;
      readonly problem?: string;
    }
  | { readonly kind: 'inspected'; readonly isSound: boolean }
  /** `problem`: the reason why the batch is not in the file; undefined when it is. The worker keeps such a batch for a retry. */
  | { readonly kind: 'written'; readonly problem?: string }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  /** The file could not answer. */
  | { readonly kind: 'refused'; readonly id: number }
  /** A problem for the user that belongs to no message. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'closed' };
