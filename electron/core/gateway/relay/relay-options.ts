import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { StateKind } from '../../../../shared/server-states.ts';
import type { Clock } from '../../clock.ts';
import type { AnswerOrder } from '../../sessions/call-turns.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { LeaseHolder } from '../../sessions/lease-holder.ts';
import type { AcquireOptions } from '../../sessions/session-manager.ts';
import type { Slot } from '../../sessions/slot.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { SessionFacts } from '../types.ts';
import type { AskRefusal } from './ask-router.ts';
import type { RelayedCall } from './call-end.ts';

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

/** How long one call of a client waited for its turn. */
export interface TurnWait extends Pick<SessionFacts, 'server' | 'clientId'> {
  readonly waitedMs: number;
}

/** What is known of servers that are down. */
export type KnownOffers = Pick<
  Catalogue,
  'load' | 'greeting' | 'list' | 'learn' | 'onChanged' | 'changedSince'
>;

export interface RelayOptions {
  readonly clock: Clock;
  readonly sessions: LeaseSource;
  readonly servers: { find(name: string): GatewayServer | undefined };
  /** Whether a call may start a server that was never started. Read at each wait. */
  readonly startOnDemand: () => boolean;
  readonly catalogue: KnownOffers;
  /** The slot of a client's session, by how its server is shared now. Asked at each call; equal slots have equal names. */
  readonly slotOf: (config: ServerConfig, facts: SessionFacts) => Slot;
  /** Whether the server answers one call at a time, so that calls wait here. Asked at each call of a tool. */
  readonly answersInTurn: (config: ServerConfig) => boolean;
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
}
