import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { RunHost } from '../../../../shared/domain.ts';
import type { HostedRun, RunProcesses, StopGraces, StopReport } from '../../platform/hosted-run.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { MalformedOutput } from '../../mcp/malformed-output.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';

/** Settings of a run from its owner, and callbacks to it. */
export interface RunHooks {
  /** Number of the run, counted from the start of the panel. */
  readonly generation?: number;
  /** Returns the settings; called at each use, because changed `panel` settings apply to the current run. */
  readonly settings: () => PanelSettings;
  /** Capabilities that the connection declares in its handshake. Default: none, so that the server sends no requests. */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  /**
   * Records a process with that marker before its spawn. Resolves when the record is on disk, so that the process is found
   * even if the panel dies. The returned function removes the record; call it after a failed spawn, or when no process is
   * left.
   */
  readonly announce: (marker: string) => Promise<() => void>;
  /** Called when the run has started, and when more is known of where it runs. */
  readonly onHosted: () => void;
  /** Called during the start with the state of the pull of its image, as text; undefined when the pull is over. */
  readonly onPulling?: (words: string | undefined) => void;
  /** The memory of the chunk is given back afterwards. */
  readonly onStderr: (chunk: Buffer) => void;
  /** Returns the end of stderr, for the error that ends the run. */
  readonly stderrTail: () => string;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** Called with a new connection before it begins, so that subscribers miss nothing. A remote run may create several. */
  readonly onConnection: (connection: McpConnection) => void;
  /** Called once if a run that was up ended by itself, never after `end` or `kill`. */
  readonly onCrashed: (error: PanelError) => void;
}

/** One run of a server as the supervisor controls it, for any transport. */
export interface Run {
  /** Pid of the spawned child while it lives; undefined for a remote server. */
  readonly pid: number | undefined;
  /** Where the run has started; undefined for a remote server. */
  readonly host?: RunHost | undefined;
  readonly figures?: HostedRun['figures'];
  readonly connection: McpConnection | undefined;
  /** Record of the spawned processes; undefined before the spawn. */
  readonly record: RunProcesses | undefined;
  launch(): Promise<void>;
  /** Takes a sample of the run's process tree. */
  sampled(tree: TreeSample): void;
  end(graces: StopGraces, error: PanelError): Promise<StopReport>;
  kill(error: PanelError): Promise<StopReport>;
}

/** Stop report for a run without a process. */
export const nothingToEnd: StopReport = { exit: undefined, forceKilledPids: [], leftPids: [] };
