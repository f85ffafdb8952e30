import type { ServerView } from '../../../shared/domain.ts';
import type { LogEvent } from '../../../shared/events.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, RandomSource, WallClock } from '../clock.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import type { SpawnRequest } from '../platform/spawner.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { ProcessCustody } from './custody/process-custody.ts';
import type { ObservedServers } from './run/run-watch.ts';
import type { RunStartDeps } from './run/run-start.ts';
import type { Run, RunHooks } from './run/run.ts';

export interface ServerSupervisorDeps extends RunStartDeps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly learnt: ObservedServers;
  readonly custody: ProcessCustody;
  readonly output: ServerOutput;
  readonly createRun: (config: ServerConfig, hooks: RunHooks, request?: SpawnRequest) => Run | Promise<Run>;
  /** Called when something that users see has changed. */
  readonly onChange: () => void;
  /** Called with a new connection before it begins, so that subscribers do not miss anything. */
  readonly onConnection?: (connection: McpConnection) => void;
  readonly onState: (state: ServerView['state']) => void;
  readonly logEvent: LogEvent;
  readonly notice: (line: string) => void;
}
