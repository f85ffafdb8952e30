import type { ServerView } from '../../../shared/domain.ts';
import type { LogEvent } from '../../../shared/events.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, RandomSource, WallClock } from '../clock.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import type { SpawnRequest } from '../platform/spawner.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { ProcessCustody } from './custody/process-custody.ts';
import type { ObservedServers } from './run/run-watch.ts';
import type { ResolveConfig } from './run/run-start.ts';
import type { Run, RunHooks } from './run/run.ts';
import type { StartTurnDeps } from './start/start-turn.ts';

/** Dependencies of one supervisor: clocks, parts shared by all servers, and callbacks. */
export interface ServerSupervisorDeps extends StartTurnDeps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly learnt: ObservedServers;
  readonly custody: ProcessCustody;
  readonly output: ServerOutput;
  /** Default: the definition stands as it is. */
  readonly resolveConfig?: ResolveConfig | undefined;
  readonly createRun: (config: ServerConfig, hooks: RunHooks, request?: SpawnRequest) => Run | Promise<Run>;
  /** Called when something that users see has changed. */
  readonly onChange: () => void;
  /** Called with a new connection before it begins, so that subscribers miss nothing. */
  readonly onConnection?: (connection: McpConnection) => void;
  /** Called with every state change, in order. */
  readonly onState: (state: ServerView['state']) => void;
  readonly logEvent: LogEvent;
  readonly notice: (line: string) => void;
}
