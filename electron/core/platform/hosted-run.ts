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
  /** Pids of processes that SIGKILL did not end (for example because a disk hangs). */
  readonly leftPids: readonly number[];
  /**
   * Error that prevented the process table from being read. In this case, more processes may be left than `leftPids` contains.
   * Undefined if the table could be read.
   */
  readonly lookError?: Error | undefined;
  /** Why the run's container may not have been removed, as text for users. */
  readonly leftContainer?: string | undefined;
}

/** What the panel needs after a restart to find the processes of a run that its earlier instance ("app run") started. */
export interface RunProcesses {
  /** Random marker in the environment of every process of the run. */
  readonly marker: string;
  /** Process group of the run on this machine; undefined if it has none. */
  readonly groupPid: number | undefined;
  /** All recorded processes that may be alive, including the group's leader. */
  readonly members: readonly ProcessIdentity[];
  /**
   * Command line for sh, executed if the panel dies. It ends the part of the run that no signal reaches, such as a container.
   * Undefined for a run without such a part.
   */
  readonly onDeath?: string | undefined;
}

/** A call that the server has not answered yet, described so that the next app run of the panel can report it. */
export interface NamedCall {
  readonly method: string;
  readonly target?: string | undefined;
  readonly by: string;
  readonly client?: string | undefined;
  readonly isGivenUp?: boolean | undefined;
}

export interface HostedEnd extends ExitStatus {
  /**
   * Set if the kernel killed the server because it had used all the memory that its container may use. Contains that limit, if
   * it is known.
   */
  readonly outOfMemory?: { readonly limitBytes?: number } | undefined;
  /** True if only the process of the engine's client (such as `docker run`) ended, while the container continued to run. */
  readonly isClientAlone?: boolean | undefined;
  /** Text that says why the server ended or never began, and a remedy, if the engine or cluster reports the reason. */
  readonly why?: { readonly headline: string; readonly remedy: string } | undefined;
  /** True if the engine of the server's container was lost, and the server with it. */
  readonly isEngineLost?: boolean | undefined;
}

/**
 * One run of a server, on any machine, from its start until nothing of it is left. The owner must read stdout and stderr from
 * the start, and must call `end` once the run is no longer needed. This also applies after a crash, because the run may have
 * left processes.
 */
export interface HostedRun {
  /** Where the server runs, as far as it is known now. */
  readonly host: RunHost;
  /** Pid of the process that the panel spawned: the server itself, or the engine's client (such as `docker run`). */
  readonly pid: number | undefined;
  /**
   * Id of the first request to this run. Default 0. It is higher if the server may still answer requests of an earlier app run,
   * so that the ids differ.
   */
  readonly firstRequestId?: number;
  readonly hasExited: boolean;
  readonly stdin: Writable;
  readonly record: RunProcesses;
  /** Settles when the spawned process has ended. */
  readonly exited: Promise<ExitStatus>;
  /**
   * Settles after `exited`, when all output was received. If another process keeps the outputs open, settles shortly after
   * `exited`.
   */
  readonly drained: Promise<HostedEnd>;
  /**
   * Figures (memory, CPU time) from the engine or cluster on which the server runs; undefined if they come from the process
   * table of this machine. A reading is undefined until the first figures arrive, and `out-of-reach` while there is no
   * connection.
   */
  readonly figures?: { read(): ContainerReading | 'out-of-reach' | undefined } | undefined;
  /**
   * Checks whether the engine of the server's container was lost; undefined if the run has no engine whose state is watched.
   * Never rejects.
   */
  hasLostEngine?(): Promise<boolean>;
  /** Passes all output to `sink`, in chunks of limited size, so that a flood does not block the event loop. */
  readStdout(sink: PartSink): void;
  readStderr(sink: PartSink): void;
  /**
   * Records the processes of the run that a sample of the process table showed. A process that left the group thus stays known
   * after its parent has ended.
   */
  remember(seen: readonly ProcessIdentity[]): void;
  /** Stores the calls that are in progress, for a run that may outlive this app run (instance of the panel). */
  rememberCalls?(calls: readonly NamedCall[], generation: number | undefined): void;
  /** Ends the run. Resolves when nothing of it is left. Idempotent; if an attempt failed, the next call tries again. */
  end(graces: StopGraces): Promise<StopReport>;
  /** Ends the run without grace times, because it is considered unresponsive. Speeds up an `end` in progress. */
  kill(): Promise<StopReport>;
}

export interface HostedStart {
  readonly server: string;
  readonly request: SpawnRequest;
  readonly marker: string;
  readonly onHost: () => void;
  /** Called repeatedly with the progress of the pull of the server's image, as text; undefined when the pull has ended. */
  readonly onPulling?: (words: string | undefined) => void;
}

export interface ProcessHost {
  /** Starts a server. @throws PanelError as `Spawner` does */
  start(start: HostedStart): Promise<HostedRun>;
}
