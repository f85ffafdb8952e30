import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { StateKind } from '../../../../shared/server-states.ts';
import type { Clock, WallClock } from '../../clock.ts';
import type { AnswerOrder } from '../../sessions/sharing/call-turns.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { LeaseHolder } from '../../sessions/lease-holder.ts';
import type { AcquireOptions } from '../../sessions/session-manager.ts';
import type { Slot } from '../../sessions/session-policy.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CapabilityClass, SessionFacts } from '../types.ts';
import type { AskRefusal } from '../upstream/server-requests.ts';
import type { RelayedOutcome } from './answers.ts';

/** Where leases come from; `SupervisedSessions` is one. */
export interface LeaseSource {
  tryAcquire(contextId: string, server: string, slot: Slot, holder: LeaseHolder): Lease | undefined;
  acquire(contextId: string, server: string, options: Omit<AcquireOptions, 'mode'>): Promise<Lease>;
}

/** A server of the configuration as the gateway looks at it. */
export interface GatewayServer {
  readonly config: ServerConfig;
  readonly state: StateKind;
  /** A person, or the panel itself, has stopped it, and nobody has started it since. */
  readonly wasStopped: boolean;
}

/** How the server of a client's session is shared now. */
export interface SessionSharing {
  /** The session's. */
  readonly slot: Slot;
  /** The server answers one call at a time, so that calls of tools wait here. */
  readonly answersInTurn: boolean;
}

/** How long one call of a client waited for its turn. */
export interface TurnWait extends Pick<SessionFacts, 'server' | 'clientId'> {
  readonly waitedMs: number;
}

/** What is known of servers that are down. */
export type KnownOffers = Pick<
  Catalogue,
  'load' | 'greeting' | 'list' | 'learn' | 'onChanged' | 'changedSince'
>;

/** A call of a client that is over, whether or not it ever reached the server. */
export interface RelayedCall {
  readonly clientId: string;
  readonly clientName: string;
  readonly server: string;
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target?: string;
  /** From the arrival of the request, waiting for the server included. */
  readonly durationMs: number;
  readonly outcome: RelayedOutcome;
}

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

/** Session ids that carry their facts; `SessionIds` of `auth/` is one. */
export interface SessionIdSource {
  mint(facts: SessionFacts): string;
  /** Undefined for what we did not mint, and for what was retired. */
  open(id: string): SessionFacts | undefined;
  /** The id opens no more. */
  retire(facts: SessionFacts): Promise<void>;
}

export interface ClientSessionsOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly sessions: LeaseSource;
  readonly servers: { find(name: string): GatewayServer | undefined };
  /** Whether a call may start a server that was never started. Read at each wait. */
  readonly startOnDemand: () => boolean;
  readonly catalogue: KnownOffers;
  /** Asked at each call; equal slots have equal names. */
  readonly sharingOf: (config: ServerConfig, facts: SessionFacts) => SessionSharing;
  /** A call has waited for those before it. */
  readonly onTurnWaited: (wait: TurnWait) => void;
  /** Calls showed how a server answers those that are open at the same time. May be told again. */
  readonly onAnswerOrder: (server: string, order: AnswerOrder) => void;
  /** Begins the ids that clients are asked under; new for each run of the panel. */
  readonly askIdPrefix: string;
  /** A server asked its client something, and no client was asked. */
  readonly onAskRefused: (refusal: AskRefusal) => void;
  readonly onCallEnded: (call: RelayedCall) => void;
  /** Takes secrets out of our own words before a client sees them. */
  readonly redact: (text: string) => string;
  readonly sessionIds: SessionIdSource;
  /** 128 random bits, base64url. */
  readonly createNonce: () => string;
  /** What `views` says has changed. */
  readonly onChange: () => void;
}
