import { serverKey } from '../config/server-key.ts';
import { ServedServersFile } from '../doorkeeper/served-servers.ts';
import { StandBy } from '../doorkeeper/stand-by.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/** Builds the process that keeps the port while the panel is away, with the file that it reads. */
export function wireDoorkeeper({
  files: { clients, notice, rewrites, sessionIds, settings },
  fleet,
  options: { clock, home, startDoorkeeper: start },
  sharing,
  signals,
}: GatewayDeps) {
  if (!start) return undefined;
  const standBy = new StandBy({
    clock,
    start,
    isWanted: () => {
      const { enabled, port } = settings.current.settings.gateway;
      return enabled && port !== 0 && clients.list().some(({ scopes }) => scopes.includes('mcp'));
    },
    notice,
  });
  const servedOf = ({ config }: ServerSupervisor) => {
    const file = sessionIds.nameOf(serverKey(config));
    return [config.name, { key: file, isShared: sharing.of(config).mode === 'shared' }] as const;
  };
  const served = new ServedServersFile({
    home,
    clock,
    node: () => standBy.node,
    servers: () => fleet.supervisors.map(servedOf),
    notice,
  });
  const adapt = async () => {
    await standBy.adapt();
    served.changed();
  };
  clients.changed.subscribe(() => void adapt());
  for (const changes of [signals.stateChanged, signals.fleetChanged, rewrites])
    changes.subscribe(() => served.changed());
  const letGo = async () => {
    await served.dispose();
    await standBy.letGo();
  };
  return { adapt, letGo, standBy };
}
