import { ProcessForest } from '../process-forest.ts';
import type { ProcessJob } from '../process-job.ts';
import type { KernelProcesses } from './kernel-processes.ts';
import type { Handle, NativeApi } from './native-api.ts';
import { canBeChild } from './parse-rows.ts';

const SET_QUOTA = 0x100;
const TERMINATE = 0x1;
/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION of a 64-bit Windows, and where its flags are. */
const LIMITS_BYTES = 144;
const FLAGS_OFFSET = 16;
/** Everything in the job ends with its last handle: with us, however we end. */
const KILL_ON_JOB_CLOSE = 0x2000;
/** Whoever asks to leave may, because a program that asks would not start otherwise. It is known by its parent all the same. */
const BREAKAWAY_OK = 0x800;
/** Exit code of what is ended by force, as TerminateProcess of Node and taskkill have it. */
const FORCED_EXIT_CODE = 1;
/** JOBOBJECT_BASIC_PROCESS_ID_LIST: two counts, then pids of 8 bytes. */
const LIST_HEADER_BYTES = 8;
const PID_BYTES = 8;
const FIRST_LIST_LENGTH = 64;
const MAX_LIST_LENGTH = 65_536;

/** A job object of Windows, which what a child starts joins by itself. */
export class JobObject implements ProcessJob {
  readonly #api: NativeApi;
  #handle: Handle | undefined;

  private constructor(api: NativeApi, handle: Handle) {
    this.#api = api;
    this.#handle = handle;
  }

  /** Undefined where the system gives none. */
  static create(api: NativeApi): JobObject | undefined {
    const handle = api.createJob();
    if (handle === undefined) return undefined;
    const limits = Buffer.alloc(LIMITS_BYTES);
    limits.writeUInt32LE(KILL_ON_JOB_CLOSE | BREAKAWAY_OK, FLAGS_OFFSET);
    if (api.setJobLimits(handle, limits)) return new JobObject(api, handle);
    api.close(handle);
    return undefined;
  }

  /**
   * Takes in a child of ours that was spawned a moment ago, and what it may have started meanwhile. Nothing else has a turn
   * between the look and the handle, so that Node keeps the child's pid from being given to a stranger.
   * @returns false where it has ended, or the system refuses
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
