import type { Connection } from './connection.ts';

/** The right of one context to use a session. Its session may end before it is released; `connection.closed` tells. */
export interface Lease<C extends Connection> {
  readonly contextId: string;
  /** `serverKey` of the configuration. */
  readonly key: string;
  /** Of the session; grows with every connect and is never reused. */
  readonly generation: number;
  readonly connection: C;
  /** Idempotent. A lease whose session has ended touches nothing. */
  release(): Promise<void>;
}
