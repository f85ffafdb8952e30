import type { ClientTools } from '../../../shared/gateway.ts';
import { tokensOf } from '../../../shared/tool-price.ts';
import { serverKey } from '../config/server-key.ts';
import type { Catalogue } from '../gateway/catalogue/catalogue.ts';
import type { ClientRegistry } from '../gateway/auth/client-registry.ts';
import type { ClientSessionsOptions } from '../gateway/session/options.ts';
import { slotOfClient } from '../gateway/upstream/client-capabilities.ts';
import { ALL_SERVERS } from '../../../shared/gateway-use.ts';
import type { CombinedParts, Reach } from '../gateway/session/combined/combined-offer.ts';
import { CombinedLists } from '../gateway/session/combined/combined-lists.ts';
import type { GatewayDeps } from './gateway-deps.ts';

type Offers = Pick<ClientSessionsOptions, 'servers' | 'sharingOf'> & {
  readonly clients: ClientRegistry;
  readonly catalogue: Catalogue;
};

/** Builds what the gateway needs for endpoints that offer several servers as one. */
export function wireCombined(
  { files: { clients, settings }, fleet, options }: GatewayDeps,
  offers: Offers,
): CombinedParts {
  const reachOf = (endpoint: string, clientId: string): Reach | undefined => {
    const set = clients.sets.find(({ name }) => ALL_SERVERS + name === endpoint);
    if (!set && endpoint !== ALL_SERVERS) return undefined;
    const shown = new Map(set?.tools.map(({ server, tools }) => [server, new Set(tools)]));
    return {
      servers: serversFor({ clients, fleet }, clientId).filter((name) => set?.servers.includes(name) ?? true),
      shows: (server, tool) => shown.get(server)?.has(tool) ?? true,
    };
  };
  return {
    lists: new CombinedLists(offers),
    reachOf,
    whyMissing: (server, clientId) => {
      const known = fleet.find(server);
      if (!known) return `There is no server "${server.slice(0, 64)}".`;
      if (clients.serversOf(clientId)?.includes(server) === false)
        return `This client may not use "${server}": allow it under Clients in MCP Control Panel.`;
      if (!known.config.enabled) return `"${server}" is switched off in MCP Control Panel.`;
      if (known.stateKind === 'failed') return `"${server}" has failed: MCP Control Panel says why.`;
      return known.wasStopped ? `"${server}" is stopped: start it in MCP Control Panel.` : undefined;
    },
    searchAboveTokens: () => settings.current.settings.gateway.searchAboveTokens,
    version: options.appVersion,
  };
}

/** Returns the names of the servers that a client may use, sorted. */
function serversFor(
  { clients, fleet }: Pick<GatewayDeps, 'fleet'> & Pick<GatewayDeps['files'], 'clients'>,
  clientId: string,
): readonly string[] {
  const allowed = clients.serversOf(clientId);
  const names = fleet.supervisors.map(({ name }) => name);
  return names.filter((name) => allowed?.includes(name) ?? true).toSorted();
}

/** Returns a function that lists what a client sees of each server that it may use, including hidden tools. */
export function clientToolsOf(
  { files: { clients }, fleet }: GatewayDeps,
  offers: Offers,
): (clientId: string) => Promise<ClientTools[]> {
  const lists = new CombinedLists({ ...offers, clients: { hiddenFrom: () => undefined } });
  const toolsOf = async (clientId: string, server: string): Promise<ClientTools> => {
    const hidden = clients.hiddenFrom(clientId, server);
    const agreed = offers.catalogue.agreedOf(serverKey(fleet.get(server).config));
    const about = { clientId, server, nonce: '', protocolVersion: '', capabilities: 'plain' as const };
    const items = await lists.ofServer('tools', about);
    const tools = items.map(({ id: name, value: { title, description, inputSchema } }) => ({
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      tokens: tokensOf({ name, description, inputSchema }),
      isHidden: hidden?.has(name) ?? false,
      isHeld: agreed.some((offer) => offer.isHeld('tools', name, clientId)),
    }));
    return { server, tools };
  };
  return (clientId) =>
    Promise.all(serversFor({ clients, fleet }, clientId).map((server) => toolsOf(clientId, server)));
}

/**
 * Returns what is needed to compute the tools, prompts and resources that clients see: servers, catalogue, clients and sharing.
 */
export function offersFor({ files: { clients }, fleet, sharing }: GatewayDeps, catalogue: Catalogue): Offers {
  return {
    servers: fleet,
    catalogue,
    clients,
    sharingOf: (config, facts) => {
      const decision = sharing.of(config);
      const slot = slotOfClient(decision, facts, sharing.askedSince(config));
      return { slot, answersInTurn: decision.answersInTurn === true };
    },
  };
}
