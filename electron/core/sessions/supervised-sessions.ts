import type { SessionsView } from '../../../shared/domain.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, WallClock } from '../clock.ts';
import { serverKey } from '../config/server-key.ts';
import { ClientMeetings, TurnWaits } from './sharing/client-use.ts';
import { FurtherInstances, type CreateInstance, openLink } from './open-link.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Lease } from './lease.ts';
import { SessionManager, type AcquireOptions } from './session-manager.ts';
import type { SharingDecision } from './sharing/sharing.ts';
import { slotOfMode, type Slot } from './session-policy.ts';
import type { ServerProtocol, SupervisedServer, SupervisedServers } from './supervised-server.ts';
import { checkMayStart, stopped, whenUpAgain } from './when-up.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface SupervisedSessionsOptions<I extends SupervisedServer> {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly servers: SupervisedServers;
  readonly createInstance: CreateInstance<I>;
  /** How a server is shared; asked at every acquire that names no slot. */
  readonly sharingOf: (config: ServerConfig) => SharingDecision;
  /** What is shown of a server's sessions has changed. */
  readonly onChange: (server: string) => void;
  /** One line for people: trouble that nobody waits for. */
  readonly notice: (line: string) => void;
}

/** The interval between sweeps; it is short, because a session should end soon after the moment that is shown as its end. */
const SWEEP_INTERVAL_MS = 30_000;
/** More are not told of at a time. */
const MAX_GIVEN_UP = 3;
/** The time from SIGKILL until nothing of a process is left. */
const AFTER_KILL_MS = 2000;

/**
 * The sessions of supervised servers. The session of the slot `shared` is a hold on the server's own process, which its
 * supervisor keeps; any other has a further process, which lives as long as the session. All end with the run below them.
 */
export class SupervisedSessions<I extends SupervisedServer> {
  readonly #options: SupervisedSessionsOptions<I>;
  readonly #manager: SessionManager;
  readonly #further: FurtherInstances<I>;
  readonly #waits: TurnWaits;
  readonly #meetings = new ClientMeetings();
  /** Processes that were given to another context, by server, the latest first. */
  readonly #givenUp = new Map<string, SessionsView['givenUp'] & object>();

  constructor(options: SupervisedSessionsOptions<I>) {
    const { clock, wallClock, createInstance, onChange } = options;
    this.#options = options;
    this.#further = new FurtherInstances(createInstance);
    this.#waits = new TurnWaits(wallClock);
    const deps = { ...options, further: this.#further, callers: new WeakMap() };
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
   * A lease of its own for every call, of the slot that the server's sharing asks for where none is named. A stopped server
   * is started, unless `mayStart` forbids it: then the caller is refused at once, also while the server is stopping.
   * @throws PanelError as `SessionManager.acquire`, SERVER_UNKNOWN, STOPPED, or why the server does not come up
   */
  async acquire(contextId: string, name: string, options: Omit<AcquireOptions, 'mode'> = {}): Promise<Lease> {
    const server = this.#options.servers.get(name);
    checkMayStart(server, options.mayStart ?? true);
    const { config } = server;
    const slot = options.slot ?? this.#slotOf(contextId, config);
    return this.#manager.acquire(contextId, config, { ...options, slot });
  }

  /** A lease of a session that is open now, without any wait; undefined where only `acquire` can tell. @throws PanelError SERVER_UNKNOWN */
  tryAcquire(contextId: string, name: string, slot?: Slot, holder?: LeaseHolder): Lease | undefined {
    const { config } = this.#options.servers.get(name);
    const choice = { slot: slot ?? this.#slotOf(contextId, config), holder };
    return this.#manager.tryAcquire(contextId, config, choice);
  }

  /** The server's own connection, for questions of the panel's; nobody's session. A stopped server stays so. @throws as `acquire` */
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

  /** A call of a client has waited for the calls before it, because the server answers one at a time. */
  turnWaited(wait: Parameters<TurnWaits['add']>[0]): void {
    this.#waits.add(wait);
    this.#options.onChange(wait.server);
  }

  /** A client has called; the second one of a server that nothing is known of is told of once. @param toolNames as `ClientMeetings.called` */
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

  /** How many sessions are open and how many users they list, for the server's view; nothing when there is no session. */
  count(config: ServerConfig): { sessions?: number; leases?: number } {
    const open = this.#manager.openOf(config);
    if (open.length === 0) return {};
    return { sessions: open.length, leases: open.reduce((sum, { uses }) => sum + uses.size, 0) };
  }

  /** The supervisors of the further processes that a server has now. */
  further(name: string): readonly I[] {
    return this.#further.of(name);
  }

  /**
   * Ends the leases of that session; an ended one is none. Calls over the server's own process go on, as it does; those over
   * a further one reject. @throws PanelError SERVER_UNKNOWN
   */
  async evict(name: string, generation: number): Promise<void> {
    const open = this.#manager.openOf(this.#options.servers.get(name).config);
    const session = open.find((one) => one.generation === generation);
    const cause = new PanelError('SESSION_CLOSED', 'The session was ended by hand.');
    if (session) await this.#manager.invalidate(session.key, generation, cause);
  }

  /** A configuration came into force: open sessions and further processes follow it, and those that it has no place for end. */
  apply(configs: readonly ServerConfig[]): void {
    this.#further.apply(configs);
    for (const config of configs) {
      this.#manager
        .configure(config)
        .catch((error: unknown) => this.#notice(`settings of ${config.name} not applied`, error));
    }
  }

  /**
   * The server is being stopped: so are its further processes, and who waits for a session is told, since a waiter would
   * start the server again. Resolves when no further process is left. @throws PanelError SERVER_UNKNOWN
   */
  async stop(name: string): Promise<void> {
    const { config } = this.#options.servers.get(name);
    // The refusal comes first and takes no time, because who is refused should not wait for another process to end.
    await this.#manager.refuse(config, stopped(name, 'was stopped'));
    await this.endFurther(name);
  }

  /** Ends the further processes of a server that is restarted or gone; who waits goes on. Resolves when none is left. */
  async endFurther(name: string): Promise<void> {
    await this.#further.closeAll(name, 'person');
  }

  /** Nothing is handed out any more; resolves when all sessions and their own processes have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#manager.close(), this.#further.closeEverything()]);
  }

  #slotOf(contextId: string, config: ServerConfig): Slot {
    return slotOfMode(contextId, this.#options.sharingOf(config).mode);
  }

  /** What a process of its own held in memory is lost with it, which the view tells. */
  #noteLoss(name: string, contextId: string, idleMs: number): void {
    const lost = { contextId, at: this.#options.wallClock.epochMs(), idleMs };
    this.#givenUp.set(name, [lost, ...(this.#givenUp.get(name) ?? [])].slice(0, MAX_GIVEN_UP));
    this.#options.onChange(name);
  }

  #notice(what: string, error: unknown): void {
    this.#options.notice(`sessions: ${what}: ${messageOf(error)}`);
  }
}

/** The key in a scope of the server's own, since two servers that are reached in the same way are two processes here. */
function keyOfServer(config: ServerConfig): string {
  const { name, scope } = config;
  return serverKey(config, scope === undefined ? name : `${name}/${scope}`);
}

/** How long a process may take to end: what left its group is asked once more, with a grace of its own. */
function longestEndMs({ stopGraceMs, killGraceMs }: ServerConfig['panel']): number {
  return stopGraceMs + 2 * killGraceMs + AFTER_KILL_MS;
}
