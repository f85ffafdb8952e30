/** One initialised client on one transport, as the session manager needs to know it. */
export interface Connection {
  /** Settles when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Ends it and releases what it holds. Called once at most, also after it ended by itself. */
  close(): Promise<void>;
  /** Requests without an answer yet. */
  readonly pendingRequests: number;
}

/** The right of one context to use a session. Its session may end before it is released; `connection.closed` tells. */
export interface Lease<C extends Connection> {
  readonly contextId: string;
  /** `serverKey` of the configuration. */
  readonly key: string;
  /** Generation of the session. It grows with every connect and is never used again. */
  readonly generation: number;
  readonly connection: C;
  /** Idempotent. A lease whose session has ended touches nothing. */
  release(): Promise<void>;
}
