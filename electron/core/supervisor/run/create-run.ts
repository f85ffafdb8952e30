import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { RandomSource, WallClock } from '../../clock.ts';
import { createHttpClient } from '../remote/http-client.ts';
import { RemoteRun } from '../remote/remote-run.ts';
import { TransportPreferences } from '../remote/transport-preferences.ts';
import { ServerRun, type Run, type ServerRunDeps, type ServerRunHooks } from './server-run.ts';

export interface RunFactoryDeps extends ServerRunDeps {
  readonly wallClock: WallClock;
  readonly random: RandomSource;
}

/** Makes the run that fits a server's transport. What is learnt of remote servers is shared by all runs it makes. */
export function runFactory(deps: RunFactoryDeps): (config: ServerConfig, hooks: ServerRunHooks) => Run {
  const { clock, wallClock, random, clientVersion } = deps;
  const preferences = new TransportPreferences({ clock });
  const remote = { clock, wallClock, random, clientVersion, preferences, openHttp: createHttpClient };
  return (config, hooks) =>
    config.transport === 'stdio' ? new ServerRun(deps, config, hooks) : new RemoteRun(remote, config, hooks);
}
