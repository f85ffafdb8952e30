/** One initialised client on one transport, as the session manager needs to know it. */
export interface Connection {
  /** Settles when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Ends it and releases what it holds. Called once at most, also after it ended by itself. */
  close(): Promise<void>;
  /** Requests without an answer yet. */
  readonly pendingRequests: number;
}
