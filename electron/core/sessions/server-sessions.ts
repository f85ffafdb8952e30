import { isDeepStrictEqual } from 'node:util';
import type { SessionsView } from '../../../shared/domain.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, WallClock } from '../clock.ts';
import { FurtherInstances } from './further-instances.ts';
import { ServerLease } from './server-lease.ts';
import { SessionBook } from './session-book.ts';
import { SessionManager, type AcquireOptions } from './session-manager.ts';
import type { SessionWarning } from './session-warning.ts';
import type { SharingDecision } from './sharing-mode.ts';
import { SupervisedConnection } from './supervised-connection.ts';
import type { ServerProtocol, SupervisedServer, SupervisedServers } from './supervised-server.ts';
import { stopped, whenUp, whenUpAgain } from './when-up.ts';

export interface ServerSessionsOptions<I extends SupervisedServer> {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly servers: SupervisedServers;
  /** Makes the supervisor of a further instance of `server`, stopped; `config.name` is the instance's. */
  readonly createInstance: (config: ServerConfig, server: string) => I;
  readonly sharingOf: (config: ServerConfig) => SharingDecision;
  /** What is shown of a server's sessions has changed. */
  readonly onChange: (server: string) => void;
  /** One line for people: trouble that nobody waits for. */
  readonly notice: (line: string) => void;
}

/** So that a session ends soon after the moment that is shown as its end. */
const SWEEP_INTERVAL_MS = 30_000;
/** From SIGKILL until nothing of a process is left. */
const AFTER_KILL_MS = 2000;

/**
 * The sessions of supervised servers. A shared session is a hold on the server's own process, which its supervisor keeps;
 * an exclusive one has a further process, which lives as long as the session. Both end with the run below them.
 */
export class ServerSessions<I extends SupervisedServer> {
  readonly #options: ServerSessionsOptions<I>;
  readonly #manager: SessionManager<SupervisedConnection>;
  readonly #book: SessionBook;
  readonly #further: FurtherInstances<I>;

  constructor(options: ServerSessionsOptions<I>) {
    const { clock, wallClock, onChange, createInstance } = options;
    this.#options = options;
    this.#book = new SessionBook({ wallClock, onChange });
    this.#further = new FurtherInstances(createInstance);
    this.#manager = new SessionManager({
      clock,
      sweepIntervalMs: SWEEP_INTERVAL_MS,
      closeTimeoutMs: ({ panel }) => longestEndMs(panel),
      connect: (config, signal) => this.#connect(config, signal),
      onWarning: (warning) => this.#warn(warning),
    });
  }

  /**
   * A lease of its own for every call; the server is started if it is stopped.
   * @throws PanelError as `SessionManager.acquire`, SERVER_UNKNOWN, STOPPED, or why the server does not come up
   */
  async acquire(
    contextId: string,
    name: string,
    options: Omit<AcquireOptions, 'mode'> = {},
  ): Promise<ServerLease> {
    const { config } = this.#options.servers.get(name);
    const lease = await this.#manager.acquire(contextId, this.#configOf(config), options);
    return new ServerLease(lease, this.#book.leased(name, lease));
  }

  /** The server's own connection, for questions of the panel's; nobody's session. A stopped server stays so. @throws as `acquire` */
  async ownConnection(name: string, signal: AbortSignal): Promise<ServerProtocol> {
    return whenUpAgain(name, this.#options.servers, signal);
  }

  /** @throws PanelError SERVER_UNKNOWN */
  view(name: string): SessionsView {
    const { config } = this.#options.servers.get(name);
    const { mode: setting, idleTimeoutMs } = config.panel.sessions;
    return {
      sharing: { ...this.#options.sharingOf(config), setting },
      sessions: this.#book.views(name, idleTimeoutMs),
    };
  }

  /** For the server's view: nothing when there is no session. */
  count(name: string): { sessions?: number; leases?: number } {
    const count = this.#book.count(name);
    return count.sessions === 0 ? {} : count;
  }

  /** The supervisors of the further processes that a server has now. */
  further(name: string): readonly I[] {
    return this.#further.of(name);
  }

  /**
   * Ends the leases of that session; an ended one is none. Calls of a shared session go on, for its process does; those of
   * an exclusive one reject. @throws PanelError SERVER_UNKNOWN
   */
  async evict(name: string, generation: number): Promise<void> {
    this.#options.servers.get(name);
    const key = this.#book.keyOf(name, generation);
    const cause = new PanelError('SESSION_CLOSED', 'The session was ended by hand.');
    if (key !== undefined) await this.#manager.invalidate(key, generation, cause);
  }

  /** A configuration came into force: open sessions and further processes follow it, and those that it has no place for end. */
  apply(configs: readonly ServerConfig[]): void {
    this.#further.apply(configs);
    for (const config of configs) {
      this.#manager
        .configure(this.#configOf(config))
        .catch((error: unknown) => this.#notice(`settings of ${config.name} not applied`, error));
    }
  }

  /**
   * The server is being stopped: so are its further processes, and who waits for a session is told, since a waiter would
   * start the server again. Resolves when no further process is left. @throws PanelError SERVER_UNKNOWN
   */
  async stop(name: string): Promise<void> {
    const { config } = this.#options.servers.get(name);
    // First, which takes no time: who is refused does not wait for another process.
    await this.#manager.refuse(this.#configOf(config), stopped(name, 'was stopped'));
    await this.endFurther(name);
  }

  /** Ends the further processes of a server that is restarted or gone; who waits goes on. Resolves when none is left. */
  async endFurther(name: string): Promise<void> {
    await this.#further.closeAll(name);
  }

  /** Nothing is handed out any more; resolves when all sessions and their own processes have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#manager.close(), this.#further.closeEverything()]);
  }

  /**
   * The configuration as the session manager sees it: with the mode decided, and in a scope of the server's own, since
   * two servers that are reached in the same way are two processes here, each with its own state.
   */
  #configOf(config: ServerConfig): ServerConfig {
    const { mode } = this.#options.sharingOf(config);
    const scope = config.scope === undefined ? config.name : `${config.name}/${config.scope}`;
    return { ...config, scope, panel: { ...config.panel, sessions: { ...config.panel.sessions, mode } } };
  }

  /** A process that is ended while it starts, for a restart of the server, has another one started in its place. */
  async #connect(config: ServerConfig, signal: AbortSignal): Promise<SupervisedConnection> {
    for (;;) {
      try {
        return await this.#connectOnce(config, signal);
      } catch (error) {
        if (!isSuperseded(error) || signal.aborted) throw error;
        this.#checkGoesOn(config);
      }
    }
  }

  /** @throws PanelError SERVER_UNKNOWN, STOPPED: who waits starts no server that a person has stopped meanwhile */
  #checkGoesOn(config: ServerConfig): void {
    const { name } = config;
    const { stateKind, config: current } = this.#options.servers.get(name);
    if (stateKind === 'stopped') throw stopped(name, 'was stopped');
    const isSame = isDeepStrictEqual(connectionFields(current), connectionFields(config));
    if (!isSame) throw stopped(name, 'is reached differently now');
  }

  #connectOnce(config: ServerConfig, signal: AbortSignal): Promise<SupervisedConnection> {
    const isShared = config.panel.sessions.mode !== 'exclusive';
    return whenUp(config.name, this.#options.servers, signal, ({ server }) =>
      isShared ? this.#hold('shared', server, () => Promise.resolve()) : this.#openFurther(server, signal),
    );
  }

  async #openFurther(server: SupervisedServer, signal: AbortSignal): Promise<SupervisedConnection> {
    const instance = await this.#further.open(server.config, signal);
    return this.#hold('exclusive', instance, () => this.#further.close(server.name, instance));
  }

  #hold(
    mode: 'shared' | 'exclusive',
    server: SupervisedServer,
    release: () => Promise<void>,
  ): SupervisedConnection {
    const protocol = server.connection;
    if (!protocol) throw new PanelError('CRASHED', `${server.name} ended as soon as it was up.`);
    const openedAt = this.#options.wallClock.epochMs();
    return new SupervisedConnection({
      protocol,
      mode,
      instance: server.name,
      pid: server.run?.pid,
      openedAt,
      release,
    });
  }

  #warn({ kind, error }: SessionWarning): void {
    this.#notice(kind, error);
  }

  #notice(what: string, error: unknown): void {
    this.#options.notice(`sessions: ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** How long a process may take to end: what left its group is asked once more, with a grace of its own. */
function longestEndMs({ stopGraceMs, killGraceMs }: ServerConfig['panel']): number {
  return stopGraceMs + 2 * killGraceMs + AFTER_KILL_MS;
}

function isSuperseded(error: unknown): boolean {
  return error instanceof PanelError && error.code === 'SUPERSEDED';
}
