import type { Writable } from 'node:stream';
import type { RunHost } from '../../../shared/domain.ts';
import type { PartSink } from '../read-in-turns.ts';
import type { ContainerReading } from './containers/container-reading.ts';
import type { ProcessIdentity } from './process-table.ts';
import type { ExitStatus, SpawnRequest } from './spawner.ts';

export interface StopGraces {
  /** Time from the end of stdin to SIGTERM, in milliseconds. */
  readonly stopGraceMs: number;
  /** Time from SIGTERM to SIGKILL, in milliseconds. */
  readonly killGraceMs: number;
}

export interface StopReport {
  readonly exit: ExitStatus | undefined;
  /** Pids of processes that were sent SIGKILL. */
  readonly forceKilledPids: readonly number[];
  /** Pids of processes that SIGKILL did not end (because a disk hangs, for example). */
  readonly leftPids: readonly number[];
  /** Error of the process table; then more processes may be left than are known. Undefined when the table could be read. */
  readonly lookError?: Error | undefined;
  /** Why the run's container may be left, in words for users. */
  readonly leftContainer?: string | undefined;
}

/** What the next panel needs to find the processes of a run. */
export interface RunProcesses {
  /** Random marker in the environment of every process of the run. */
  readonly marker: string;
  /** Process group of the run on this machine; undefined where it has none. */
  readonly groupPid: number | undefined;
  /** All recorded processes that may be alive, including the group's leader. */
  readonly members: readonly ProcessIdentity[];
  /** Command line for sh that ends what no signal reaches; for a panel that dies. Undefined for a run without such a part. */
  readonly onDeath?: string | undefined;
}

/** Call in flight, as the next panel tells it. */
export interface NamedCall {
  readonly method: string;
  readonly target?: string | undefined;
  readonly by: string;
  readonly client?: string | undefined;
  readonly isGivenUp?: boolean | undefined;
}

export interface HostedEnd extends ExitStatus {
  /** Whether the kernel ended it because it had used all the memory that its container may use, and how much that is. */
  readonly outOfMemory?: { readonly limitBytes?: number } | undefined;
  /** Whether only the client of its engine ended, while the container went on. */
  readonly isClientAlone?: boolean | undefined;
  /** Why it ended or never began, where its place says so, and what helps; both in words. */
  readonly why?: { readonly headline: string; readonly remedy: string } | undefined;
  /** Whether the engine of its container went away, and the server with it. */
  readonly isEngineLost?: boolean | undefined;
}

/**
 * One run of a server, wherever it runs, from its start until nothing of it is left. The owner reads stdout and stderr from the
 * start, and calls `end` once the run is no longer needed, also after a crash, because it may have left processes.
 */
export interface HostedRun {
  /** Where the server runs, as far as it is known now. */
  readonly host: RunHost;
  /** Pid of the process that the panel spawned: the server itself, or the client of its engine. */
  readonly pid: number | undefined;
  /** First id of requests to a server that may still answer those of an earlier panel. Default 0. */
  readonly firstRequestId?: number;
  readonly hasExited: boolean;
  readonly stdin: Writable;
  readonly record: RunProcesses;
  /** Settles when the spawned process has ended. */
  readonly exited: Promise<ExitStatus>;
  /** Settles after `exited`, when all output was received, or soon if another process holds the outputs. */
  readonly drained: Promise<HostedEnd>;
  /**
   * Figures of the place where the server runs; undefined if the process table shows them. A reading is undefined until the
   * place tells its figures, and `out-of-reach` while there is no connection to it.
   */
  readonly figures?: { read(): ContainerReading | 'out-of-reach' | undefined } | undefined;
  /** Asks whether the engine of its container has gone away; undefined without one that is followed. Never rejects. */
  hasLostEngine?(): Promise<boolean>;
  /** Passes all output to `sink`, in chunks of limited size, so that a flood does not block the event loop. */
  readStdout(sink: PartSink): void;
  readStderr(sink: PartSink): void;
  /** Adds the processes that a sample showed, so that an escapee stays known after its parent has ended. */
  remember(seen: readonly ProcessIdentity[]): void;
  /** Keeps the calls in flight of a run that may outlive this panel. */
  rememberCalls?(calls: readonly NamedCall[], generation: number | undefined): void;
  /** Ends the run. Resolves when nothing of it is left. Idempotent; a failed end is retried. */
  end(graces: StopGraces): Promise<StopReport>;
  /** Ends the run without grace times, because it is judged not to respond. Speeds up an `end` in progress. */
  kill(): Promise<StopReport>;
}

export interface HostedStart {
  readonly server: string;
  readonly request: SpawnRequest;
  readonly marker: string;
  readonly onHost: () => void;
  /** Called with the state of the pull of its image, as text, again and again; undefined when the pull is over. */
  readonly onPulling?: (words: string | undefined) => void;
}

export interface ProcessHost {
  /** Starts a server. @throws PanelError as `Spawner` does */
  start(start: HostedStart): Promise<HostedRun>;
}
