import type { WallClock } from '../../clock.ts';
import type { RelayOptions } from '../relay/relay-options.ts';
import type { Edge, SessionFacts } from '../types.ts';
import type { ClientSessionView } from './client-session-view.ts';

/** Session ids that carry their facts; `SessionIds` of `auth/` is one. */
export interface SessionIdSource {
  mint(facts: SessionFacts): string;
  /** Undefined for what we did not mint, and for what was retired. */
  open(id: string): SessionFacts | undefined;
  /** The id opens no more. */
  retire(facts: SessionFacts): Promise<void>;
}

export interface LegacyEdgeOptions extends RelayOptions {
  readonly wallClock: WallClock;
  readonly sessionIds: SessionIdSource;
  /** 128 random bits, base64url. */
  readonly createNonce: () => string;
  /** What `views` says has changed. */
  readonly onChange: () => void;
}

/** The edge for clients of the protocol up to 2025-11-25. */
export interface LegacyEdge extends Edge {
  /** The sessions of clients; those without a request for long are left out. */
  views(): ClientSessionView[];
  /** The client may use nothing any more: its calls are cancelled, its streams closed. */
  clientRevoked(clientId: string): void;
  /** Calls under way are given up, streams closed, leases given back. */
  dispose(): void;
}
