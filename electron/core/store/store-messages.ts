import type { PanelEvent } from '../../../shared/domain.ts';
import type {
  CallSeriesQuery,
  PastState,
  LimitsInForce,
  PastEventsQuery,
  SeriesQuery,
} from '../../../shared/history.ts';

/** One look at the servers; `values` has as many figures per server as there are metrics, NaN where there is none. */
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
  /** Of those, the ones that say how long the server takes. */
  readonly timed: number;
  readonly minMs: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** What came together since the batch before, mostly within half a second. It is written whole or not at all. */
export interface Batch {
  /** Time of day at which it was sent: the panel was running then. */
  readonly at: number;
  /** By the monotonic clock, since the batch before. */
  readonly ranMs: number;
  readonly looks: readonly LookMessage[];
  readonly calls: readonly CallsMessage[];
  readonly events: readonly PanelEvent[];
  readonly limits: readonly LimitsInForce[];
  /** Events were lost on the way: the journal has them. */
  readonly hasLostEvents: boolean;
}

/** A question and its time of day, because the worker has no clock of its own. */
export type StoreRequest =
  | { readonly about: 'series'; readonly query: SeriesQuery }
  | { readonly about: 'calls'; readonly query: CallSeriesQuery }
  | { readonly about: 'events'; readonly query: PastEventsQuery }
  | { readonly about: 'state' };

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
  /** Tries the batch again that could not be written. */
  | { readonly kind: 'retry'; readonly now: number }
  | { readonly kind: 'ask'; readonly id: number; readonly now: number; readonly question: StoreRequest }
  /** Checks all of the open file, and sets it aside where it is damaged. */
  | { readonly kind: 'check' }
  /** Checks all of a file that another worker has open. */
  | { readonly kind: 'inspect'; readonly path: string }
  | { readonly kind: 'close' };

export type FromWorker =
  /**
   * `problem`: why there is no file, or that another one had to be begun, in one sentence for people. `isLarge`: only its
   * beginning was checked, because the whole of it takes a second. `isReadOnly`: it answers, and nothing can be written for
   * now; that is the problem.
   */
  | {
      readonly kind: 'opened';
      readonly isOpen: boolean;
      readonly isLarge: boolean;
      readonly isReadOnly: boolean;
      readonly problem?: string;
    }
  | { readonly kind: 'inspected'; readonly isSound: boolean }
  /** `problem`: why the batch is not in the file. The worker keeps it for the next try. */
  | { readonly kind: 'written'; readonly problem?: string }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  /** The file could not answer. */
  | { readonly kind: 'refused'; readonly id: number }
  /** Something that people should know happened aside of any message. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'closed' };

export type FileState = Omit<PastState, 'keptIn' | 'problem'>;
