import type { Writable } from 'node:stream';
import type { RunHost } from '../../../shared/domain.ts';
import type { Clock } from '../clock.ts';
import { readInTurns, type PartSink, type StreamReading } from '../read-in-turns.ts';
import { settlesWithin } from '../wait.ts';
import { drainOutputs } from './drain-outputs.ts';
import type { HostedRun, HostedEnd, RunProcesses, StopGraces, StopReport } from './hosted-run.ts';
import type { ProcessIdentity } from './process-table.ts';
import { ProcessTree, type ProcessTreeDeps } from './process-tree.ts';
import type { Signaller, StopSignal } from './signals.ts';
import type { ExitStatus, SpawnedChild, Spawner, SpawnRequest } from './spawner.ts';

export interface OwnedProcessDeps extends ProcessTreeDeps {
  readonly spawner: Spawner;
}

/** Maximum ms until a process that was sent SIGKILL has left the process table. Only the kernel decides how long that takes. */
const AFTER_KILL_MS = 2000;

export class OwnedProcess implements HostedRun {
  readonly #clock: Clock;
  readonly #signaller: Signaller;
  readonly #child: SpawnedChild;
  readonly #tree: ProcessTree;
  readonly #marker: string;
  readonly #readings: StreamReading[] = [];
  #exit: ExitStatus | undefined;
  #ending: Promise<StopReport> | undefined;
  #killNow: (() => void) | undefined;
  readonly pid: number;
  readonly stdin: Writable;
  readonly exited: Promise<ExitStatus>;
  readonly drained: Promise<HostedEnd>;

  protected constructor(deps: OwnedProcessDeps, child: SpawnedChild, marker: string) {
    this.#clock = deps.clock;
    this.#signaller = deps.signaller;
    this.#child = child;
    this.#tree = new ProcessTree(deps, child, marker);
    this.#marker = marker;
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.exited = child.exited.then((exit) => (this.#exit = exit));
    this.drained = this.#drain();
  }

  /** Spawns the process. @throws PanelError as `Spawner` does */
  static async spawn(deps: OwnedProcessDeps, request: SpawnRequest, marker: string): Promise<OwnedProcess> {
    return new OwnedProcess(deps, await deps.spawner({ ...request, marker }), marker);
  }

  get host(): RunHost {
    return { kind: 'process' };
  }
  get hasExited(): boolean {
    return this.#exit !== undefined;
  }
  protected get isEnding(): boolean {
    return this.#ending !== undefined;
  }
  get record(): RunProcesses {
    return { marker: this.#marker, groupPid: this.pid, members: this.#tree.members };
  }

  readStdout(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#child.stdout, sink, this.#clock));
  }
  readStderr(sink: PartSink): void {
    this.#readings.push(readInTurns(this.#child.stderr, sink, this.#clock));
  }

  remember(seen: readonly ProcessIdentity[]): void {
    this.#tree.remember(seen);
  }

  /**
   * Ends the process tree: end of stdin, `stopGraceMs`, SIGTERM to the group, `killGraceMs`, SIGKILL to the group, then the
   * same for processes that left the group. If every signal ends a process by force (Windows), SIGTERM and its grace time are
   * omitted. Resolves when no process is left, within the grace times. Idempotent; a failed end is retried. If the process
   * table cannot be read, the known processes are still ended, and the report contains the error.
   */
  end(graces: StopGraces): Promise<StopReport> {
    this.#ending ??= this.#endTree(graces).catch((error: unknown) => {
      this.#ending = undefined;
      throw error;
    });
    return this.#ending;
  }

  kill(): Promise<StopReport> {
    this.#killNow?.();
    return this.end({ stopGraceMs: 0, killGraceMs: 0 });
  }

  async #endTree(graces: StopGraces): Promise<StopReport> {
    const hurry = new Promise<void>((resolve) => (this.#killNow = resolve));
    const within = (limitMs: number) =>
      limitMs === 0
        ? Promise.resolve(this.hasExited)
        : settlesWithin(this.#clock, Promise.race([this.exited, hurry]), limitMs);
    const killed = new Set<number>();
    const asksFirst = graces.killGraceMs > 0 && !this.#signaller.isAlwaysForced;
    if (!this.hasExited) {
      await this.#tree.record();
      this.#child.stdin.end();
      await within(graces.stopGraceMs);
    }
    if (!this.hasExited && asksFirst) {
      await this.#signalGroup('SIGTERM');
      await within(graces.killGraceMs);
    }
    if (!this.hasExited) {
      for (const pid of await this.#killGroup()) killed.add(pid);
      await settlesWithin(this.#clock, this.exited, AFTER_KILL_MS);
    }
    const graceMs = asksFirst ? graces.killGraceMs : 0;
    let isClear = await this.#endSurvivors(graceMs, killed);
    // A failed scan may have missed processes. If a second scan succeeds, the processes that it finds are ended, and the
    // result is certain.
    if (this.#tree.forgetLookError()) isClear = await this.#endSurvivors(graceMs, killed);
    await settlesWithin(this.#clock, this.drained, AFTER_KILL_MS);
    this.#destroyStreams();
    this.#child.job?.close();
    const leftPids = isClear && this.hasExited ? [] : await this.#leftPids();
    return {
      exit: this.#exitAfter(killed),
      forceKilledPids: [...killed],
      leftPids,
      lookError: this.#tree.lookError,
    };
  }

  /**
   * Sends a signal to the child's process group. No other process can get it: until the child's exit has been collected, the
   * system does not reuse its pid and group. Returns false if no signal was sent. If the child has ended in the meantime,
   * `#endSurvivors` ends the processes that it left behind.
   */
  async #signalGroup(signal: StopSignal): Promise<boolean> {
    await this.#tree.record();
    return !this.hasExited && this.#signaller.signalGroup(this.pid, signal);
  }

  /**
   * Kills the child and its descendants, through their Windows job object if they have one. @returns the pids of the killed
   * processes
   */
  async #killGroup(): Promise<readonly number[]> {
    const { job } = this.#child;
    if (job !== undefined) {
      await this.#tree.record();
      const pids = job.pids();
      if (this.hasExited) return [];
      if (job.terminate()) return [...new Set([this.pid, ...pids])];
    }
    return (await this.#signalGroup('SIGKILL')) ? [this.pid] : [];
  }

  /**
   * Returns the exit of the child. On Windows, a killed process may have an ordinary exit code, so the list of killed pids
   * decides whether SIGKILL is reported.
   */
  #exitAfter(killed: ReadonlySet<number>): ExitStatus | undefined {
    const isForced = this.#signaller.isAlwaysForced && killed.has(this.pid);
    return isForced && this.#exit ? { signal: 'SIGKILL' } : this.#exit;
  }

  async #leftPids(): Promise<readonly number[]> {
    const left = (await this.#tree.survivors()).map((member) => member.pid);
    return this.hasExited ? left : [...new Set([this.pid, ...left])];
  }

  /** Ends the processes of the tree other than the child. @returns true if there were none, so that no further scan is needed */
  async #endSurvivors(graceMs: number, killed: Set<number>): Promise<boolean> {
    if ((await this.#tree.survivors()).length === 0) return true;
    if (graceMs > 0) {
      await this.#tree.signalSurvivors('SIGTERM');
      await this.#tree.isGoneWithin(graceMs);
    }
    for (const member of await this.#tree.signalSurvivors('SIGKILL')) killed.add(member.pid);
    this.#child.job?.terminate();
    await this.#tree.isGoneWithin(AFTER_KILL_MS);
    return false;
  }

  async #drain(): Promise<HostedEnd> {
    const exit = await this.exited;
    await drainOutputs(this.#clock, this.#readings);
    return this.explainEnd(exit);
  }

  /** Returns how the process ended, with the reason if it is known. A subclass may add the reason. Never rejects. */
  protected explainEnd(exit: ExitStatus): HostedEnd | Promise<HostedEnd> {
    return exit;
  }

  #destroyStreams(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }
}
