import type { ServerConfig } from '../../../shared/server-config.ts';
import type { RandomSource, WallClock } from '../clock.ts';
import type { SpawnRequest } from '../platform/spawner.ts';
import type { RemoteRunDeps } from './remote/remote-run.ts';
import { createHttpClient } from './remote/http-client.ts';
import { TransportPreferences } from './remote/transport-preferences.ts';
import type { Run, RunHooks } from './run/run.ts';
import type { StdioRunDeps } from './run/stdio-run.ts';

interface RunFactoryDeps extends StdioRunDeps {
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly ownHeaders: (instance: string) => Readonly<Record<string, string>>;
  readonly tokensOf?: RemoteRunDeps['tokensOf'];
  readonly clusters?: RemoteRunDeps['clusters'];
}

/**
 * Returns a function that creates a run (one execution of a server or connection to it) for the server's transport. All runs
 * share what was learned about the transports of remote servers. The code of runs is loaded when the first run is created,
 * because with the MCP SDK and its schemas it is half of the code that the core loads.
 */
export function runFactory(
  deps: RunFactoryDeps,
): (config: ServerConfig, hooks: RunHooks, request?: SpawnRequest) => Promise<Run> {
  const preferences = new TransportPreferences(deps.clock);
  const remote = { ...deps, preferences, openHttp: createHttpClient };
  return async (config, hooks, request) => {
    const { RemoteRun, StdioRun } = await import('./runs.ts');
    return config.transport === 'stdio'
      ? new StdioRun(deps, config, hooks, request)
      : new RemoteRun(remote, config, hooks);
  };
}
