import type { Clock } from '../clock.ts';
import type { ProcessTable, ProcessDetails, ProcessIdentity } from './process-table.ts';
import type { Spawner } from './spawner.ts';
import { KernelProcesses, epochMsOfTicks, type WindowsProcessSource } from './windows/kernel-processes.ts';
import { loadNativeApi, type NativeApi } from './windows/native-api.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { JobObject } from './windows/job-object.ts';
import {
  ProcessLineHelper,
  PowerShellProcesses,
  canBeChild,
  HELPER_ARGS,
} from './windows/powershell-processes.ts';
import { LinuxProcessTable } from './linux-process-table.ts';
import { PsProcessTable, type RefineReadings } from './ps-process-table.ts';
import { Footprints } from './ps/footprints.ts';
import { readUsage } from './ps/pidusage-reader.ts';
import { runCommand } from './run-command.ts';
import { systemClock } from './system-clock.ts';
import { systemProgram } from './windows/system-program.ts';
import { ListedProcesses, ProcessForest } from './process-forest.ts';

/**
 * How the panel finds and groups processes on this system: the process table, and job objects on Windows. The caller must
 * dispose of the table.
 */
export interface ProcessSystem {
  readonly table: ProcessTable;
  /**
   * Wraps `spawn` so that each child and its descendants are in a job object. On systems without job objects, returns `spawn`
   * itself.
   */
  readonly holding: (spawn: Spawner) => Spawner;
  /** One sentence for users that says what the panel cannot do with processes on this system; absent if nothing is missing. */
  readonly problem?: string;
}

interface ProcessSystemOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Loads the native library for access to the Windows kernel. Called on Windows only. */
  readonly loadNative?: () => Promise<NativeApi>;
}

const WITHOUT_NATIVE =
  'Windows can only be asked through PowerShell, so figures come every 5 s, and servers whose wrapper has ended outlive a panel that is killed, until the next start';

/**
 * Opens the process table and the jobs of `platform`. If the native library cannot be loaded on Windows, PowerShell and
 * taskkill are used instead.
 */
export async function openProcessSystem({
  clock,
  platform,
  loadNative = loadNativeApi,
}: ProcessSystemOptions): Promise<ProcessSystem> {
  const plain = { table: processTableForPlatform(clock, platform), holding: (spawn: Spawner) => spawn };
  if (platform !== 'win32') return plain;
  try {
    return kernelProcessSystem(await loadNative());
  } catch (error) {
    const why = messageOf(error);
    return { ...plain, problem: `${WITHOUT_NATIVE} (${why})` };
  }
}

/**
 * Creates access to Windows processes through the kernel's own functions instead of helper programs. @throws if the kernel
 * refuses to list its processes
 */
export function kernelProcessSystem(api: NativeApi): ProcessSystem {
  const processes = new KernelProcesses(api);
  processes.listNow();
  return {
    table: new WindowsProcessTable(processes),
    holding: (spawn) => jobSpawner(spawn, api, processes),
  };
}

/**
 * Puts each child into a job (a Windows job object) right after its spawn. If that fails, the child runs without a job, as on
 * systems that have no jobs.
 */
export function jobSpawner(
  spawn: Spawner,
  api: NativeApi,
  processes: Pick<KernelProcesses, 'listNow'>,
  ownPid: number = process.pid,
): Spawner {
  return async (request) => {
    const child = await spawn(request);
    // If the caps cannot be set, the child is put into a job without caps.
    const job = JobObject.create(api, request.caps) ?? JobObject.create(api);
    if (job === undefined) return child;
    if (adopts(job, child.pid)) return { ...child, job };
    job.close();
    return child;
  };

  function adopts(job: JobObject, pid: number): boolean {
    try {
      return job.adopt(pid, ownPid, processes);
    } catch {
      return false; // The kernel refused to list its processes; the child runs without a job.
    }
  }
}

/** Maximum milliseconds to wait for one answer of PowerShell, which takes seconds just to start if its files are not cached. */
const WINDOWS_ANSWER_TIMEOUT_MS = 20_000;

/**
 * Returns the best process table that is possible on `platform` without native code. It starts programs when they are needed.
 * The caller must dispose of it.
 */
export function processTableForPlatform(
  clock: Clock = systemClock,
  platform: NodeJS.Platform = process.platform,
): ProcessTable {
  if (platform === 'linux') return new LinuxProcessTable();
  if (platform === 'win32') {
    const options = {
      command: systemProgram('WindowsPowerShell\\v1.0\\powershell.exe'),
      args: HELPER_ARGS,
      clock,
      timeoutMs: WINDOWS_ANSWER_TIMEOUT_MS,
    };
    return new WindowsProcessTable(new PowerShellProcesses(new ProcessLineHelper(options)));
  }
  const refine: RefineReadings =
    platform === 'darwin'
      ? new Footprints({ run: runCommand, clock }).of
      : (readings) => readUsage(readings.map(({ pid }) => pid));
  return new PsProcessTable({ run: runCommand, clock, refine });
}

/**
 * Process table of Windows. Callers share a listing if they make their request before it begins. It does not report
 * environments, nor whether a process is stopped.
 */
export class WindowsProcessTable extends ListedProcesses implements ProcessTable {
  readonly leastIntervalMs: number;
  readonly identifySync?: (pid: number) => ProcessIdentity | undefined;
  readonly #source: WindowsProcessSource;

  /** Takes ownership of `source`, and disposes of it when the table is disposed of. */
  constructor(source: WindowsProcessSource) {
    super();
    this.#source = source;
    this.leastIntervalMs = source.leastIntervalMs ?? 0;
    if (source.identify) this.identifySync = source.identify.bind(source);
  }

  override async identify(pid: number): Promise<ProcessIdentity | undefined> {
    return this.identifySync ? this.identifySync(pid) : super.identify(pid);
  }

  findByEnvironment(): Promise<readonly ProcessIdentity[]> {
    return Promise.resolve([]);
  }

  describe(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>> {
    return Promise.resolve(new Map(processes.map((process) => [process.pid, this.#detailsOf(process)])));
  }

  dispose(): void {
    this.#source.dispose();
  }

  protected async list(): Promise<ProcessForest> {
    return new ProcessForest(await this.#source.list(), canBeChild);
  }

  #detailsOf({ pid, startTime }: ProcessIdentity): ProcessDetails {
    const startedAtMs = epochMsOfTicks(startTime);
    const isSame = this.identifySync?.(pid)?.startTime === startTime;
    const commandLine = isSame ? this.#source.commandLine?.(pid) : undefined;
    return { startedAtMs, ...(commandLine !== undefined && { commandLine }) };
  }
}
