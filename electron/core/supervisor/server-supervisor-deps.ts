import type { ServerView } from '../../../shared/domain.ts';
import type { LogEvent } from '../../../shared/events.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, RandomSource, WallClock } from '../clock.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import type { SpawnRequest } from '../platform/spawner.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { ProcessCustody } from './custody/process-custody.ts';
import type { ObservedServers } from './run/run-watch.ts';
import type { Run, RunHooks } from './run/run.ts';
import type { StartTurnDeps } from './start/start-turn.ts';

/** What one supervisor is given: clocks, what all servers share, and who is told. */
export interface ServerSupervisorDeps extends StartTurnDeps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly learnt: ObservedServers;
  readonly custody: ProcessCustody;
  readonly output: ServerOutput;
  readonly createRun: (config: ServerConfig, hooks: RunHooks, request?: SpawnRequest) => Run | Promise<Run>;
  /** Something a person could see has changed. */
  readonly onChange: () => void;
  /** A connection to the server was made and has not begun; what is wanted of it is subscribed to there. */
  readonly onConnection?: (connection: McpConnection) => void;
  /** Every state change, in order. */
  readonly onState: (state: ServerView['state']) => void;
  readonly logEvent: LogEvent;
  readonly notice: (line: string) => void;
}
