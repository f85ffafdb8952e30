import { ProcessForest } from '../process-forest.ts';
import type { Caps, ProcessJob } from '../process-job.ts';
import type { KernelProcesses } from './kernel-processes.ts';
import type { Handle, NativeApi } from './native-api.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import { availableParallelism } from 'node:os';
import { canBeChild } from './powershell-processes.ts';

const SET_QUOTA = 0x100;
const TERMINATE = 0x1;
/** Size of JOBOBJECT_EXTENDED_LIMIT_INFORMATION on 64-bit Windows, and the offset of its flags. */
const LIMITS_BYTES = 144;
const FLAGS_OFFSET = 16;
/** Flag that ends all processes of the job when its last handle closes, which also happens when the panel dies. */
const KILL_ON_JOB_CLOSE = 0x2000;
/**
 * Flag that lets a process start a child outside the job on request, because some programs would not start otherwise. The panel
 * recognizes such a child by its parent process.
 */
const BREAKAWAY_OK = 0x800;
/** Flag that caps the total memory committed by all processes of the job, and the offset of that cap. */
const JOB_MEMORY = 0x200;
const JOB_MEMORY_OFFSET = 120;
/** Flags of JOBOBJECT_CPU_RATE_CONTROL_INFORMATION: the limit is on, and a hard cap. A rate of 10,000 means all processors. */
const HARD_CPU_RATE = 0x5;
const WHOLE_CPU_RATE = 10_000;
/** Exit code of processes ended by force; TerminateProcess in Node and taskkill use the same. */
const FORCED_EXIT_CODE = 1;
/** Header of JOBOBJECT_BASIC_PROCESS_ID_LIST: two counts, followed by pids of 8 bytes. */
const LIST_HEADER_BYTES = 8;
const PID_BYTES = 8;
const FIRST_LIST_LENGTH = 64;
const MAX_LIST_LENGTH = 65_536;

/** A Windows job object; children of its processes join it automatically. */
export class JobObject implements ProcessJob {
  readonly #api: NativeApi;
  #handle: Handle | undefined;

  private constructor(api: NativeApi, handle: Handle) {
    this.#api = api;
    this.#handle = handle;
  }

  /** Creates a job; undefined if the system refuses. @param processors number of processors of the machine */
  static create(
    api: NativeApi,
    { memoryMiB, cpuCores }: Caps = { memoryMiB: 0, cpuCores: 0 },
    processors = availableParallelism(),
  ): JobObject | undefined {
    const handle = api.createJob();
    if (handle === undefined) return undefined;
    const limits = Buffer.alloc(LIMITS_BYTES);
    limits.writeUInt32LE(KILL_ON_JOB_CLOSE | BREAKAWAY_OK | (memoryMiB > 0 ? JOB_MEMORY : 0), FLAGS_OFFSET);
    limits.writeBigUInt64LE(BigInt(Math.round(memoryMiB * BYTES_PER_MIB)), JOB_MEMORY_OFFSET);
    const rate = Buffer.alloc(8);
    rate.writeUInt32LE(HARD_CPU_RATE);
    rate.writeUInt32LE(Math.max(1, Math.round((cpuCores / processors) * WHOLE_CPU_RATE)), 4);
    const isCapped = cpuCores === 0 || cpuCores >= processors || api.setJobCpuRate(handle, rate);
    if (isCapped && api.setJobLimits(handle, limits)) return new JobObject(api, handle);
    api.close(handle);
    return undefined;
  }

  /**
   * Adds a child that was just spawned, and the descendants that it already has. This method is synchronous: it lists the
   * processes and opens the handle before Node can process the child's exit, so the child's pid cannot be reused meanwhile.
   * @returns false if the child has ended or the system refuses
   */
  adopt(pid: number, ownPid: number, processes: Pick<KernelProcesses, 'listNow'>): boolean {
    const isOurs = processes.listNow().some((one) => one.pid === pid && one.ppid === ownPid);
    if (!isOurs || !this.#assign(pid)) return false;
    const family = new ProcessForest(processes.listNow(), canBeChild).tree(pid);
    const held = new Set(this.pids());
    for (const early of family) if (!held.has(early.pid)) this.#assign(early.pid);
    return true;
  }

  pids(): readonly number[] {
    if (this.#handle === undefined) return [];
    for (let length = FIRST_LIST_LENGTH; ; length *= 2) {
      const list = Buffer.alloc(LIST_HEADER_BYTES + length * PID_BYTES);
      const isWhole = this.#api.listJob(this.#handle, list);
      if (!isWhole && length < MAX_LIST_LENGTH) continue;
      const count = Math.min(length, list.readUInt32LE(4));
      return Array.from({ length: count }, (_, index) =>
        Number(list.readBigUInt64LE(LIST_HEADER_BYTES + index * PID_BYTES)),
      );
    }
  }

  terminate(): boolean {
    return this.#handle !== undefined && this.#api.terminateJob(this.#handle, FORCED_EXIT_CODE);
  }

  close(): void {
    if (this.#handle !== undefined) this.#api.close(this.#handle);
    this.#handle = undefined;
  }

  #assign(pid: number): boolean {
    const opened = this.#api.openProcess(SET_QUOTA | TERMINATE, pid);
    if (typeof opened !== 'bigint' || this.#handle === undefined) return false;
    const isAssigned = this.#api.assignToJob(this.#handle, opened);
    this.#api.close(opened);
    return isAssigned;
  }
}
