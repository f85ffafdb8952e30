import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../shared/error-codes.ts';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import type { WallClock } from '../clock.ts';
import type { FurtherInstances } from './further-instances.ts';
import { LinkCallers, SupervisedLink } from './server-link.ts';
import type { ConnectPurpose } from './server-sessions.ts';
import { ownSlot } from './session-policy.ts';
import type { ServerProtocol, SupervisedServer, SupervisedServers } from './supervised-server.ts';
import { stopped, whenInUse, whenUp } from './when-up.ts';

export interface OpenLinkDeps {
  readonly wallClock: WallClock;
  readonly servers: SupervisedServers;
  readonly further: FurtherInstances<SupervisedServer>;
  /** Who called over each connection: it may outlive its sessions. */
  readonly callers: WeakMap<ServerProtocol, LinkCallers>;
}

/**
 * Opens the link of a slot: over the server's own run, or over a further process that lives as long as the link. A process
 * that is ended while it starts, for a restart of the server, has another one started in its place.
 * @throws PanelError as `whenUp`; STOPPED when a person stopped the server meanwhile
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
  { wallClock, callers }: OpenLinkDeps,
  release: () => Promise<void>,
): SupervisedLink {
  const protocol = instance.connection;
  if (!protocol?.greeting) throw new PanelError('CRASHED', `${instance.name} ended as soon as it was up.`);
  const calledBy = callers.get(protocol) ?? new LinkCallers();
  callers.set(protocol, calledBy);
  return new SupervisedLink({
    protocol,
    greeting: protocol.greeting,
    serving: { instance: instance.name, pid: instance.run?.pid, openedAt: wallClock.epochMs() },
    callers: calledBy,
    release,
  });
}

/** @throws PanelError SERVER_UNKNOWN, STOPPED: who waits starts no server that a person has stopped meanwhile */
function checkGoesOn(servers: SupervisedServers, config: ServerConfig): void {
  const { name } = config;
  const { stateKind, config: current } = servers.get(name);
  if (stateKind === 'stopped') throw stopped(name, 'was stopped');
  const isSame = isDeepStrictEqual(connectionFields(current), connectionFields(config));
  if (!isSame) throw stopped(name, 'is reached differently now');
}

function isSuperseded(error: unknown): boolean {
  return error instanceof PanelError && error.code === 'SUPERSEDED';
}
