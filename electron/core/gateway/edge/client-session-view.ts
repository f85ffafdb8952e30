import type { CapabilityClass, SessionFacts } from '../types.ts';

/** A call of a client that is not over. */
export interface ClientCallView {
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target?: string;
  /** Since it came, in milliseconds. */
  readonly sinceMs: number;
}

/** One client's session with one server, for the window. */
export interface ClientSessionView {
  readonly clientId: string;
  readonly server: string;
  /** The context that its leases are listed under; see `SessionView`. */
  readonly contextId: string;
  readonly info?: SessionFacts['info'];
  readonly capabilities: CapabilityClass;
  /** Oldest first. */
  readonly inFlight: readonly ClientCallView[];
  /** Epoch milliseconds of its last request. */
  readonly lastSeenAt: number;
}
