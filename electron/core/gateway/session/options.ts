import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, WallClock } from '../../clock.ts';
import type { AnswerOrder } from '../../sessions/sharing/call-turns.ts';
import type { ApprovedBy } from '../../../../shared/approvals.ts';
import type { Approvals } from '../../approval/approvals.ts';
import type { Slot } from '../../sessions/session-policy.ts';
import type { SupervisedServer } from '../../sessions/supervised-server.ts';
import type { SupervisedSessions } from '../../sessions/supervised-sessions.ts';
import type { ClientRegistry } from '../auth/client-registry.ts';
import type { SessionIds } from '../auth/session-id.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CapabilityClass, GatewayReply, SessionFacts } from '../types.ts';
import type { AskRefusal } from '../upstream/server-requests.ts';
import type { RelayedOutcome } from './answers.ts';
import type { OwnRuns } from './own-runs.ts';

/** Source of leases. A lease is the right to call one server over one connection until the lease is released. */
export type LeaseSource = Pick<SupervisedSessions<SupervisedServer>, 'acquire' | 'tryAcquire'>;

/** The members of a configured server that the gateway needs. */
export type GatewayServer = Pick<SupervisedServer, 'config' | 'stateKind'>;

/** Which connection of a server one client's session uses, and whether its calls must wait for each other. */
interface SessionSharing {
  /** The session's slot, which names the connection that it uses: the server's main instance, or a replica. */
  readonly slot: Slot;
  /** True if the server answers one call at a time, so that tool calls wait in the gateway. */
  readonly answersInTurn: boolean;
}

/** A client call that has waited for its turn. */
export interface TurnWait extends Pick<SessionFacts, 'server' | 'clientId'> {
  readonly waitedMs: number;
}

/** Stored lists and initialize results of servers, available while the servers are down. */
export type KnownOffers = Pick<
  Catalogue,
  'load' | 'greeting' | 'list' | 'learn' | 'onChanged' | 'changedSince' | 'tools' | 'agreed' | 'whenRead'
>;

/** A finished call of a client, whether or not it reached the server. */
export interface RelayedCall {
  readonly clientId: string;
  readonly clientName: string;
  readonly server: string;
  readonly method: string;
  /** Name of the tool or prompt, if the method has one. */
  readonly target?: string | undefined;
  /** Milliseconds from the arrival of the request to its answer, including the wait for the server. */
  readonly durationMs: number;
  readonly outcome: RelayedOutcome;
  /** True if the tool itself answered with an error. */
  readonly isToolError?: boolean;
  readonly bytes?: GatewayReply['bytes'];
  /** Arguments of a tool call. */
  readonly arguments?: unknown;
  /** Hash of the tool's definition as the client saw it; undefined if the server's tool list is not known. */
  readonly digest?: string | undefined;
  /** Who approved or refused a tool call; undefined if no approval was needed. */
  readonly approvedBy?: ApprovedBy | undefined;
}

/** A call that a client has in flight. */
export interface ClientCallView {
  readonly method: string;
  /** Name of the tool or prompt, if the method has one. */
  readonly target?: string;
  /** Milliseconds since the call's arrival. */
  readonly sinceMs: number;
}

/** One client's session with one server, as the app window shows it. */
export interface ClientSessionView {
  readonly clientId: string;
  readonly server: string;
  /** Id under which the session's leases are listed; it matches `contextId` in `SessionView`. */
  readonly contextId: string;
  readonly info?: SessionFacts['info'];
  readonly protocolVersion: string;
  readonly capabilities: CapabilityClass;
  /** Calls in flight, oldest first. */
  readonly inFlight: readonly ClientCallView[];
  /** Epoch milliseconds of the client's last request. */
  readonly lastSeenAt: number;
}

/** Creates, decodes and retires session ids, which contain the facts of their session. */
export type SessionIdSource = Pick<SessionIds, 'mint' | 'open' | 'retire'>;

export interface ClientSessionsOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly sessions: LeaseSource;
  readonly servers: { find(name: string): GatewayServer | undefined };
  /** Returns true if a call may start a server that was never started. Called each time a call waits for a server. */
  readonly startOnDemand: () => boolean;
  readonly catalogue: KnownOffers;
  /** Returns the slot and call order of a session with this server. Called at each call; slots of one name share a connection. */
  readonly sharingOf: (config: ServerConfig, facts: SessionFacts) => SessionSharing;
  /** Called after a tool call has waited for earlier calls. */
  readonly onTurnWaited: (wait: TurnWait) => void;
  /** Called when a server was observed to answer calls one at a time or in parallel; it may repeat the same observation. */
  readonly onAnswerOrder: (server: string, order: AnswerOrder) => void;
  /** Prefix of the ids under which server requests are sent to clients; new for each app run. */
  readonly askIdPrefix: string;
  /** Called when a server request could not be sent to any client. */
  readonly onAskRefused: (refusal: AskRefusal) => void;
  /** Approves tool calls, or asks the user first. Default: all calls are approved. */
  readonly approvals?: Pick<Approvals, 'check'>;
  /** Registry that knows which tools the user has hidden from each client. Default: none are hidden. */
  readonly clients?: Pick<ClientRegistry, 'hiddenFrom'>;
  /**
   * Detects requests that come from servers of this panel, to refuse those that would deadlock because servers wait for each
   * other in a cycle. Default: none are refused.
   */
  readonly ownRuns?: Pick<OwnRuns, 'refuses'>;
  readonly onCallEnded: (call: RelayedCall) => void;
  /** Redacts secrets in the panel's own texts before a client sees them. */
  readonly redact: (text: string) => string;
  readonly sessionIds: SessionIdSource;
  /** Returns 128 random bits as base64url. */
  readonly createNonce: () => string;
  /** Called after a change of `views`. */
  readonly onChange: () => void;
}
