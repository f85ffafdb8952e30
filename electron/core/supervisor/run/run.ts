import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { RunHost } from '../../../../shared/domain.ts';
import type { HostedRun, RunProcesses, StopGraces, StopReport } from '../../platform/hosted-run.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import { type MalformedOutput, outputExcerpt, EXCERPT_BYTES } from '../../mcp/malformed-output.ts';
import { McpConnection } from '../../mcp/mcp-connection.ts';
import type { StartWatch } from '../start/start-watch.ts';
import type { RunPhase } from './run-errors.ts';
import type { Clock } from '../../clock.ts';
import { contentWords } from '../../mcp/connection-traffic.ts';
import type { PeerTransport } from '../../mcp/peer-transport.ts';

/** Settings that a run gets from its owner, and its callbacks to the owner. */
export interface RunHooks {
  /** Number of the run, counted from the start of the panel. */
  readonly generation?: number;
  /** Returns the settings; called at each use, because changed `panel` settings apply to the current run. */
  readonly settings: () => PanelSettings;
  /** Capabilities that the connection declares in its handshake. Default: none, so that the server sends no requests. */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  /**
   * Records a process with this marker before it is spawned. Resolves when the record is on disk, so that the process is found
   * even if the panel crashes. The returned function removes the record; call it after a failed spawn, or when no process is
   * left.
   */
  readonly announce: (marker: string) => Promise<() => void>;
  /** Called when the run has started, and when more is known about where it runs. */
  readonly onHosted: () => void;
  /** Called during the start with the progress of the image pull as text; undefined when the pull has ended. */
  readonly onPulling?: (words: string | undefined) => void;
  /** Called with each part of stderr. Copy the chunk if it is needed later: its memory is released or reused after the call. */
  readonly onStderr: (chunk: Buffer) => void;
  /** Returns the end of stderr, for the error that ends the run. */
  readonly stderrTail: () => string;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** Called with a new connection before it begins, so that subscribers miss nothing. A remote run may create several. */
  readonly onConnection: (connection: McpConnection) => void;
  /** Called once if a run that was up ended without being stopped; never called after `end` or `kill`. */
  readonly onCrashed: (error: PanelError) => void;
}

/** One run of a server as the supervisor controls it, for any transport. */
export interface Run {
  /** Pid of the spawned child while it is alive; undefined for a remote server. */
  readonly pid: number | undefined;
  /** Where the run was started (for example in a container); undefined for a remote server. */
  readonly host?: RunHost | undefined;
  readonly figures?: HostedRun['figures'];
  readonly connection: McpConnection | undefined;
  /** Record by which the processes of the run can be found later; undefined before the spawn. */
  readonly record: RunProcesses | undefined;
  launch(): Promise<void>;
  sampled(tree: TreeSample): void;
  end(graces: StopGraces, error: PanelError): Promise<StopReport>;
  kill(error: PanelError): Promise<StopReport>;
}

/** Stop report for a run without a process. */
export const nothingToEnd: StopReport = { exit: undefined, forceKilledPids: [], leftPids: [] };

/** Phase of a run and the parts that end with the run, independent of the transport. A run never returns to an earlier phase. */
export class RunLife {
  readonly #abort = new AbortController();
  #phase: RunPhase = 'starting';
  #endError: PanelError | undefined;
  connection: McpConnection | undefined;
  startWatch: StartWatch | undefined;

  get phase(): RunPhase {
    return this.#phase;
  }
  get endError(): PanelError | undefined {
    return this.#endError;
  }
  /** Aborts, with the reason, when the run must end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  up(): void {
    this.#phase = 'up';
  }

  /** Ends the run on request; pending requests reject with `error` immediately. The first reason is kept. */
  close(error: PanelError): void {
    this.#phase = 'over';
    this.#endError ??= error;
    this.startWatch?.dispose();
    this.connection?.end(error);
    this.#abort.abort(this.#endError);
  }

  fail(error: PanelError): void {
    this.#phase = 'over';
    this.#endError = error;
  }

  throwIfOver(): void {
    if (this.#endError) throw this.#endError;
  }
}

interface OpenConnectionDeps {
  readonly clock: Clock;
  readonly clientVersion: string;
  /** Number from which request ids count up. Default: 0. */
  readonly firstRequestId?: number | undefined;
}

/** Creates the MCP client of a run on its transport. `onConnection` is called before any message is sent or received. */
export function openConnection(
  transport: PeerTransport,
  { clock, clientVersion, firstRequestId }: OpenConnectionDeps,
  hooks: RunHooks,
): McpConnection {
  const { clientCapabilities } = hooks;
  const connection = new McpConnection({
    transport,
    clock,
    clientVersion,
    firstRequestId,
    ...(clientCapabilities && { clientCapabilities }),
    limits: () => hooks.settings().calls,
    onUnmatched: (message, long) => {
      const head = long?.head(EXCERPT_BYTES) ?? Buffer.from(contentWords(message));
      hooks.onMalformed(unmatchedNoise(head, long?.byteLength ?? head.length));
    },
  });
  hooks.onConnection(connection);
  return connection;
}

function unmatchedNoise(head: Buffer, bytes: number): MalformedOutput {
  return { noise: 'unmatched', excerpt: outputExcerpt(head), bytes };
}
