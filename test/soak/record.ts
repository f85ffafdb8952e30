import type { Ended } from '../fixtures/gateways/bare-client.ts';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';

/** What the soak did to the panel or to one of its servers. Times are epoch milliseconds. */
export interface Deed {
  readonly kind: string;
  /** null: the panel itself, and with it all servers. */
  readonly server: string | null;
  readonly at: number;
  /** When everything was as before; absent while it is not. */
  until?: number;
  /** Event that has to come, and how soon. */
  readonly expects?: { readonly kind: EventKind; readonly withinMs: number };
  /** Events that are no wonder while the deed lasts. */
  readonly justifies: readonly EventKind[];
  /** Calls to the server may fail meanwhile. */
  readonly breaksCalls: boolean;
  /** The panel was killed before the deed was over, so that nothing can be said about it. */
  isInterrupted?: boolean;
  /** What went otherwise than it has to. */
  failure?: string;
}

type CallEnd = Ended['end'] | 'wrong-answer';

/** One request of one client. */
export interface CallRecord {
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly end: CallEnd;
  readonly detail?: string;
}

/** A line of the panel's terminal output. */
export interface StateLine {
  readonly at: number;
  readonly server: string;
  readonly state: string;
}

/** One look at one of the panel's own processes. */
export interface ProcessSample {
  readonly at: number;
  readonly role: string;
  readonly pid: number;
  readonly rssBytes: number;
  readonly descriptors?: number;
  /** Live heap after a collection, and what keeps the event loop alive; of the main process, now and then. */
  readonly heapBytes?: number;
  readonly timers?: number;
}

/** Everything that happened in a soak. */
export interface SoakRecord {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly deeds: readonly Deed[];
  readonly calls: readonly CallRecord[];
  readonly lines: readonly StateLine[];
  readonly events: readonly PanelEvent[];
  readonly samples: readonly ProcessSample[];
  /** Sentences about what the soak itself saw go wrong: processes left, a panel that did not end. */
  readonly problems: readonly string[];
  /** How late the soak itself was at most: it tells how busy the machine was. */
  readonly latenessMs: number;
}
