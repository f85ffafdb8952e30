import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { EndedBy } from '../supervisor/run/run-log.ts';
import { isSameConnection } from '../config/config-diff.ts';
import { abortable } from '../wait.ts';
import type { SupervisedServer, SupervisedServers } from './supervised-server.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { WallClock } from '../clock.ts';
import { SupervisedLink } from './server-link.ts';
import type { ConnectPurpose } from './server-sessions.ts';
import { ownSlot } from './session-policy.ts';
import { stopped, whenInUse, whenUp } from './when-up.ts';

/** Number of the first replica, because the server's own instance counts as number one. */
const FIRST_NUMBER = 2;

/**
 * Creates the supervisor of a replica, which is a further process of `server` for one session. The replica is stopped at first,
 * and its name is `config.name`.
 * @param clientCapabilities declared by its connections; the panel's usual ones when undefined
 */
export type CreateInstance<I> = (
  config: ServerConfig,
  server: string,
  clientCapabilities: ClientCapabilities | undefined,
) => I;

/**
 * Replicas of servers: further processes of a server, each for one session, with the names `<name>#2`, `<name>#3`, … A number
 * is free again once all processes of its replica have ended. Replicas never restart automatically, because a new process would
 * lack the state of the old one.
 */
export class FurtherInstances<I extends SupervisedServer> {
  readonly #create: CreateInstance<I>;
  /** Replicas by the name of their server and by their number. */
  readonly #instances = new Map<string, Map<number, I>>();

  constructor(create: CreateInstance<I>) {
    this.#create = create;
  }

  of(server: string): readonly I[] {
    return [...(this.#instances.get(server)?.values() ?? [])];
  }

  /**
   * Starts a replica. If it rejects, it leaves no process behind. @throws the cause of the failed start; SUPERSEDED when the
   * replica was ended during its start; `signal.reason`
   */
  async open(config: ServerConfig, signal: AbortSignal, clientCapabilities?: ClientCapabilities): Promise<I> {
    const server = config.name;
    const instances = this.#instances.get(server) ?? new Map<number, I>();
    this.#instances.set(server, instances);
    const number = lowestFree(instances);
    const instance = this.#create(instanceConfig(config, number), server, clientCapabilities);
    instances.set(number, instance);
    try {
      await abortable(instance.start(), signal);
      return instance;
    } catch (error) {
      await this.close(server, instance);
      throw error;
    }
  }

  /** Ends a replica; resolves when all its processes have ended. */
  async close(server: string, instance: I, by: EndedBy = 'session'): Promise<void> {
    await instance.stop(by);
    const instances = this.#instances.get(server);
    if (!instances) return;
    for (const [number, other] of instances) if (other === instance) instances.delete(number);
    if (instances.size === 0) this.#instances.delete(server);
  }

  /**
   * Applies changed settings. Ends replicas whose server was removed or disabled, or whose connection settings or caps (see
   * `isSameConnection`) changed.
   */
  apply(configs: readonly ServerConfig[]): void {
    const byName = new Map(configs.map((config) => [config.name, config]));
    for (const [server, instances] of this.#instances) {
      const config = byName.get(server);
      if (!config?.enabled) void this.closeAll(server, 'configuration');
      else for (const [number, instance] of instances) this.#adapt(instance, instanceConfig(config, number));
    }
  }

  /** Ends all replicas of the server; resolves when all their processes have ended. */
  async closeAll(server: string, by: EndedBy): Promise<void> {
    await Promise.all(this.of(server).map((instance) => this.close(server, instance, by)));
  }

  async closeEverything(): Promise<void> {
    await Promise.all([...this.#instances.keys()].map((server) => this.closeAll(server, 'panel')));
  }

  #adapt(instance: I, config: ServerConfig): void {
    if (isSameConnection(config, instance.config)) instance.configure(config);
    else void instance.stop('configuration');
  }
}

function lowestFree(taken: ReadonlyMap<number, unknown>): number {
  let number = FIRST_NUMBER;
  while (taken.has(number)) number += 1;
  return number;
}

function instanceConfig(config: ServerConfig, number: number): ServerConfig {
  const restart = { ...config.panel.restart, enabled: false };
  return { ...config, name: `${config.name}#${number}`, panel: { ...config.panel, restart } };
}

interface OpenLinkDeps {
  readonly wallClock: WallClock;
  readonly servers: SupervisedServers;
  readonly further: FurtherInstances<SupervisedServer>;
}

/**
 * Opens the connection for a slot: to the server's main instance, or to a replica that lives as long as the connection. If a
 * replica is ended during its start because the server restarts, another replica is started.
 * @throws PanelError as `whenUp`; STOPPED when the user stopped the server meanwhile
 */
export async function openLink(
  deps: OpenLinkDeps,
  config: ServerConfig,
  signal: AbortSignal,
  purpose: ConnectPurpose,
): Promise<SupervisedLink> {
  for (;;) {
    try {
      return await openOnce(deps, config.name, signal, purpose);
    } catch (error) {
      if (!isSuperseded(error) || signal.aborted) throw error;
      checkGoesOn(deps.servers, config);
    }
  }
}

function openOnce(
  deps: OpenLinkDeps,
  name: string,
  signal: AbortSignal,
  purpose: ConnectPurpose,
): Promise<SupervisedLink> {
  const { servers } = deps;
  const { slot, mayStart } = purpose;
  const waiting = { name, servers, signal, mayStart };
  return slot.name === ownSlot.name
    ? whenUp(waiting, ({ server }) => linkTo(server, deps, () => Promise.resolve()))
    : whenInUse(waiting, (server) => openFurther(deps, server, signal, purpose));
}

async function openFurther(
  deps: OpenLinkDeps,
  { name, config }: SupervisedServer,
  signal: AbortSignal,
  purpose: ConnectPurpose,
): Promise<SupervisedLink> {
  const instance = await deps.further.open(config, signal, purpose.slot.clientCapabilities);
  return linkTo(instance, deps, () => deps.further.close(name, instance));
}

function linkTo(
  instance: SupervisedServer,
  { wallClock }: OpenLinkDeps,
  release: () => Promise<void>,
): SupervisedLink {
  const protocol = instance.connection;
  if (!protocol?.greeting) throw new PanelError('CRASHED', `${instance.name} ended right after it started.`);
  const serving = { instance: instance.name, pid: instance.run?.pid, openedAt: wallClock.epochMs() };
  return new SupervisedLink(protocol, protocol.greeting, serving, release);
}

/**
 * Checks that the caller may try again to start a replica of the server. @throws PanelError SERVER_UNKNOWN; STOPPED if the
 * server was stopped meanwhile, or now has another command or address
 */
function checkGoesOn(servers: SupervisedServers, config: ServerConfig): void {
  const { name } = config;
  const { stateKind, config: current } = servers.get(name);
  if (stateKind === 'stopped') throw stopped(name, 'was stopped');
  if (!isSameConnection(current, config)) throw stopped(name, 'now has another command or address');
}

function isSuperseded(error: unknown): boolean {
  return error instanceof PanelError && error.code === 'SUPERSEDED';
}
