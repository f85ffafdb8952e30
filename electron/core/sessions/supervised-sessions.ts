import type { SessionsView } from '../../../shared/sessions-view.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, WallClock } from '../clock.ts';
import { serverKey } from '../config/server-key.ts';
import { ClientMeetings, TurnWaits } from './sharing/client-use.ts';
import type { EndedBy } from '../supervisor/run/run-log.ts';
import { FurtherInstances, type CreateInstance, openLink } from './open-link.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Lease } from './lease.ts';
import { SessionManager, type AcquireOptions } from './session-manager.ts';
import type { SharingDecision } from './sharing/sharing.ts';
import { slotOfMode, type Slot } from './session-policy.ts';
import type { ServerProtocol, SupervisedServer, SupervisedServers } from './supervised-server.ts';
import { checkMayStart, stopped, whenUpAgain } from './when-up.ts';
import { messageOf } from '../../../shared/message-of.ts';

interface SupervisedSessionsOptions<I extends SupervisedServer> {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly servers: SupervisedServers;
  readonly createInstance: CreateInstance<I>;
  /**
   * Returns the sharing mode of a server: whether contexts share its process or get a replica each. Called at every `acquire`
   * that does not name a slot.
   */
  readonly sharingOf: (config: ServerConfig) => SharingDecision;
  /** Called when something that the window shows about the sessions of a server has changed. */
  readonly onChange: (server: string) => void;
  /** Receives a one-line message for the user about an error of work that no caller waits for. */
  readonly notice: (line: string) => void;
}

/**
 * Interval in ms at which idle sessions are looked for and ended. It is short, because the window shows when a session will
 * end.
 */
const SWEEP_INTERVAL_MS = 30_000;
/** Maximum number of replicas per server that the window lists as given to another context. */
const MAX_GIVEN_UP = 3;
/** Maximum milliseconds that the end of a process is expected to take after SIGKILL. */
const AFTER_KILL_MS = 2000;

/**
 * Sessions of supervised servers. The session of the slot `shared` uses the server's main instance, which may run longer than
 * the session, because its supervisor decides when it ends. Every other session has its own replica, which ends with the
 * session. A session also ends when the run of the process that it uses ends.
 */
export class SupervisedSessions<I extends SupervisedServer> {
  readonly #options: SupervisedSessionsOptions<I>;
  readonly #manager: SessionManager;
  readonly #further: FurtherInstances<I>;
  readonly #waits: TurnWaits;
  readonly #meetings = new ClientMeetings();
  /** Replicas that were given to another context, by server, the latest first. */
  readonly #givenUp = new Map<string, SessionsView['givenUp'] & object>();

  constructor(options: SupervisedSessionsOptions<I>) {
    const { clock, wallClock, createInstance, onChange } = options;
    this.#options = options;
    this.#further = new FurtherInstances(createInstance);
    this.#waits = new TurnWaits(wallClock);
    const deps = { ...options, further: this.#further };
    this.#manager = new SessionManager({
      clock,
      wallClock,
      keyOf: keyOfServer,
      sweepIntervalMs: SWEEP_INTERVAL_MS,
      closeTimeoutMs: ({ panel }) => longestEndMs(panel),
      connect: (...purpose) => openLink(deps, ...purpose),
      onChange,
      onGivenUp: (...loss) => this.#noteLoss(...loss),
      onWarning: ({ kind, error }) => this.#notice(kind, error),
    });
  }

  /**
   * Returns a lease; every call returns a separate one. Unless a slot is named, the server's sharing mode decides which slot is
   * used. A stopped server is started, unless `mayStart` forbids it; in that case the call rejects immediately, even while the
   * server is still stopping.
   * @throws PanelError as `SessionManager.acquire`, SERVER_UNKNOWN, STOPPED, or the reason why the server does not come up
   */
  async acquire(contextId: string, name: string, options: Omit<AcquireOptions, 'mode'> = {}): Promise<Lease> {
    const server = this.#options.servers.get(name);
    checkMayStart(server, options.mayStart ?? true);
    const { config } = server;
    const slot = options.slot ?? this.#slotOf(contextId, config);
    return this.#manager.acquire(contextId, config, { ...options, slot });
  }

  /**
   * Returns a lease of an open session without waiting; undefined if only `acquire` can decide. @throws PanelError
   * SERVER_UNKNOWN
   */
  tryAcquire(contextId: string, name: string, slot?: Slot, holder?: LeaseHolder): Lease | undefined {
    const { config } = this.#options.servers.get(name);
    const choice = { slot: slot ?? this.#slotOf(contextId, config), holder };
    return this.#manager.tryAcquire(contextId, config, choice);
  }

  /**
   * Returns the connection of the main instance, for requests of the panel outside any session. A stopped server is not
   * started. @throws as `acquire`
   */
  async ownConnection(name: string, signal: AbortSignal): Promise<ServerProtocol> {
    return whenUpAgain(name, this.#options.servers, signal);
  }

  /** @throws PanelError SERVER_UNKNOWN */
  view(name: string): SessionsView {
    const { config } = this.#options.servers.get(name);
    const { mode: setting, idleTimeoutMs } = config.panel.sessions;
    const waits = this.#waits.view(name);
    const givenUp = this.#givenUp.get(name);
    const decision = this.#options.sharingOf(config);
    const secondClient = decision.reason === 'default' ? this.#meetings.view(name) : undefined;
    return {
      sharing: { ...decision, setting, ...(waits && { waits }), ...(secondClient && { secondClient }) },
      sessions: this.#manager.openOf(config).flatMap((session) => session.view(idleTimeoutMs) ?? []),
      ...(givenUp && { givenUp }),
    };
  }

  /** Records a client call that waited for earlier ones, because the server answers one at a time. */
  turnWaited(wait: Parameters<TurnWaits['add']>[0]): void {
    this.#waits.add(wait);
    this.#options.onChange(wait.server);
  }

  /**
   * Records a call by an MCP client. When a second client uses a server whose sharing mode is only the default, sends one
   * notice to the user. @param toolNames as in `ClientMeetings.called`
   */
  clientCalled(name: string, client: { id: string; name: string }, toolNames: () => readonly string[]): void {
    if (!this.#meetings.called(name, client, toolNames)) return;
    const { config } = this.#options.servers.get(name);
    const { first, second } = this.#meetings.view(name) ?? {};
    if (this.#options.sharingOf(config).reason === 'default')
      this.#options.notice(
        `${name}: ${first} and ${second} share one process; see Sessions of ${name} for the choice`,
      );
    this.#options.onChange(name);
  }

  /**
   * Returns, for the server's view, the number of open sessions, and the number of contexts that use or have used them. Empty
   * without an open session.
   */
  count(config: ServerConfig): { sessions?: number; leases?: number } {
    const open = this.#manager.openOf(config);
    if (open.length === 0) return {};
    return { sessions: open.length, leases: open.reduce((sum, { uses }) => sum + uses.size, 0) };
  }

  /** Returns the supervisors of the server's current replicas. */
  further(name: string): readonly I[] {
    return this.#further.of(name);
  }

  /**
   * Ends the session with this generation (its number), if it is open, and with it its leases. Calls in flight to the main
   * instance continue, because its process does; calls to a replica reject. @throws PanelError SERVER_UNKNOWN
   */
  async evict(name: string, generation: number): Promise<void> {
    const open = this.#manager.openOf(this.#options.servers.get(name).config);
    const session = open.find((one) => one.generation === generation);
    const cause = new PanelError('SESSION_CLOSED', 'The session was ended by hand.');
    if (session) await this.#manager.invalidate(session.key, generation, cause);
  }

  /** Applies a configuration to open sessions and replicas. Ends the replicas of servers that are not in the configuration. */
  apply(configs: readonly ServerConfig[]): void {
    this.#further.apply(configs);
    for (const config of configs) {
      this.#manager
        .configure(config)
        .catch((error: unknown) => this.#notice(`settings of ${config.name} not applied`, error));
    }
  }

  /**
   * Ends the replicas of a server that is being stopped, and rejects the waiters for its sessions, because a waiter would start
   * the server again. Resolves when all replicas have ended. @throws PanelError SERVER_UNKNOWN
   */
  async stop(name: string): Promise<void> {
    const { config } = this.#options.servers.get(name);
    // Waiters are rejected first, because they should not wait for another process to end.
    await this.#manager.refuse(config, stopped(name, 'was stopped'));
    await this.endFurther(name);
  }

  /**
   * Ends the replicas of a server that restarts, sleeps or is removed. Waiters continue to wait. Resolves when all replicas
   * have ended.
   */
  async endFurther(name: string, by: EndedBy = 'person'): Promise<void> {
    await this.#further.closeAll(name, by);
  }

  /** Ends all sessions and replicas, and rejects later requests for leases. Resolves when all have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#manager.close(), this.#further.closeEverything()]);
  }

  #slotOf(contextId: string, config: ServerConfig): Slot {
    return slotOfMode(contextId, this.#options.sharingOf(config).mode);
  }

  /** Records, for display in the window, that a context lost the state that its replica kept in memory. */
  #noteLoss(name: string, contextId: string, idleMs: number): void {
    const lost = { contextId, at: this.#options.wallClock.epochMs(), idleMs };
    this.#givenUp.set(name, [lost, ...(this.#givenUp.get(name) ?? [])].slice(0, MAX_GIVEN_UP));
    this.#options.onChange(name);
  }

  #notice(what: string, error: unknown): void {
    this.#options.notice(`sessions: ${what}: ${messageOf(error)}`);
  }
}

/**
 * Returns a session key that includes the server's name. Otherwise, two servers with the same target would share sessions,
 * although each has its own process.
 */
function keyOfServer(config: ServerConfig): string {
  const { name, scope } = config;
  return serverKey(config, scope === undefined ? name : `${name}/${scope}`);
}

/**
 * Returns the longest time in ms that a server's processes may take to end. `killGraceMs` counts twice, because a process that
 * left the group is signalled separately, with its own grace time.
 */
function longestEndMs({ stopGraceMs, killGraceMs }: ServerConfig['panel']): number {
  return stopGraceMs + 2 * killGraceMs + AFTER_KILL_MS;
}
