import { join } from 'node:path';
import { installedVersion } from '../consent/installed-version.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { CatalogueLink } from '../gateway/catalogue/link-lists.ts';
import type { ClientSessions } from '../gateway/session/client-sessions.ts';
import type { InitializeResponse } from '../mcp/handshake.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import { Catalogue, catalogueKey, type CatalogueChange } from '../gateway/catalogue/catalogue.ts';
import { serverKey, serverKeys } from '../config/server-key.ts';

/** Opens the catalogue: the stored lists of each server's tools, prompts and resources, and which of them the user accepted. */
export function openCatalogue({ files, fleet, options, signals }: GatewayDeps): Catalogue {
  const { clock, wallClock, parentEnvironment: environment, userHome } = options;
  const { notice } = files;
  const keyOf = serverKeys();
  return new Catalogue({
    ...{ clock, wallClock, notice },
    folder: join(options.home, 'catalogue'),
    agreedFolder: join(options.home, 'agreed'),
    installedOf: async (key) => {
      const config = fleet.supervisors.find((server) => keyOf(server.config) === key)?.config;
      return config && installedVersion(config, { environment, userHome });
    },
    onAgreedChanged: (key) => {
      for (const { config, name } of fleet.supervisors)
        if (keyOf(config) === key) signals.offerChanged.emit(name);
    },
    nameOf: (key) => files.sessionIds.nameOf(key),
  });
}

/**
 * Stores the lists of every running server in the catalogue, including servers that no client has used. A client that starts
 * while its server or the panel is down then gets the stored lists. Otherwise it would get empty lists and keep them for its
 * whole session.
 */
export function followServers(
  { fleet, signals }: GatewayDeps,
  catalogue: Catalogue,
  clientSessions: ClientSessions,
): void {
  const changed = ({ key, list }: CatalogueChange) => {
    for (const { name, config } of fleet.supervisors)
      if (key.startsWith(serverKey(config))) clientSessions.serverChanged(name, list);
  };
  catalogue.onChanged(changed);
  catalogue.onFirst(changed);
  const offered = () =>
    fleet.supervisors.flatMap(({ config, name }) => (config.enabled ? [name] : [])).join(' ');
  let before = offered();
  signals.fleetChanged.subscribe(() => {
    if (before !== (before = offered())) clientSessions.serverChanged(undefined);
  });
  signals.stateChanged.subscribe(({ server, state }) => {
    const { config, connection } = fleet.find(server) ?? {};
    if (state.kind !== 'running' || !config || !connection?.greeting) return;
    clientSessions.serverUp(server);
    catalogue.learn(linkOf(connection, connection.greeting), catalogueKey(serverKey(config)));
  });
}

/** Returns the object through which the catalogue reads from the connection of a server's main instance. */
function linkOf(connection: McpConnection, greeting: InitializeResponse): CatalogueLink {
  let hasEnded = false;
  void connection.closed.then(() => (hasEnded = true));
  return {
    greeting,
    closed: connection.closed,
    get hasEnded() {
      return hasEnded;
    },
    requestRaw: (...args) => connection.requestRaw(...args),
    onNotification: (listener) => connection.onNotification(listener),
  };
}
