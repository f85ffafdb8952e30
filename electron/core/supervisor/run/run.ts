import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { StopGraces, StopReport } from '../../platform/owned-process.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { MalformedOutput } from '../../mcp/malformed-output.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { RunRecord } from '../custody/process-custody.ts';

/** What a run asks of its owner, and tells it. */
export interface RunHooks {
  /** Read at each use: `panel` settings apply live. */
  readonly settings: () => PanelSettings;
  /** What the connection declares in its handshake. Default: nothing, so that a server asks nothing. */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  /**
   * A process with that marker is about to be spawned: it is on record once this resolves, so that it is found whenever we
   * die. Resolves with the undo, for a process that did not come, or of which nothing is left.
   */
  readonly announce: (marker: string) => Promise<() => void>;
  readonly onSpawned: () => void;
  readonly onStderr: (chunk: Buffer) => void;
  /** What the run wrote to stderr last, for the error that ends it. */
  readonly stderrTail: () => string;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** A connection was made and has not begun: whoever wants to miss nothing of it subscribes now. A remote run may make several. */
  readonly onConnection: (connection: McpConnection) => void;
  /** The run was up, and has ended by itself. Called once, never after `end` or `kill`. */
  readonly onCrashed: (error: PanelError) => void;
}

/** One life of one server as the supervisor drives it, whatever the transport. */
export interface Run {
  /** The spawned child while it lives; never for a remote server. */
  readonly pid: number | undefined;
  readonly connection: McpConnection | undefined;
  /** What was spawned, once it was. */
  readonly record: Omit<RunRecord, 'server' | 'generation'> | undefined;
  launch(): Promise<void>;
  /** A look at its tree. */
  sampled(tree: TreeSample): void;
  end(graces: StopGraces, error: PanelError): Promise<StopReport>;
  kill(error: PanelError): Promise<StopReport>;
}

/** The end of a run of which there was no process. */
export const nothingToEnd: StopReport = { exit: undefined, forceKilledPids: [], leftPids: [] };
