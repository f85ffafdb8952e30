import type { Handle, NativeApi } from '../../../../electron/core/platform/windows/native-api.ts';

const STATUS_INFO_LENGTH_MISMATCH = 0xc0000004;
const STATUS_INVALID_INFO_CLASS = 0xc0000003;
const ERROR_ACCESS_DENIED = 5;
const ERROR_INVALID_PARAMETER = 87;

interface FakeWindowsProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly createTime: bigint;
  readonly commandLine?: string;
  /** Opening it is refused. */
  readonly isProtected?: boolean;
  /** It has ended, and somebody holds a handle to it. */
  readonly hasEnded?: boolean;
}

interface FakeJob {
  readonly pids: Set<number>;
  limits?: Buffer;
  cpuRate?: Buffer;
}

/** The kernel of a Windows machine in memory. `open` counts handles that nobody has closed. */
export class FakeNativeApi implements NativeApi {
  readonly processes: FakeWindowsProcess[] = [];
  readonly jobs = new Map<Handle, FakeJob>();
  readonly #handles = new Map<Handle, FakeWindowsProcess>();
  #next = 1n;
  /** Called before each listing. */
  onList: () => void = () => undefined;
  refusesCpuRate = false;
  refusesAssignment = false;

  get open(): number {
    return this.#handles.size + this.jobs.size;
  }

  querySystem(_kind: number, buffer: Buffer) {
    this.onList();
    const alive = this.processes.filter(({ hasEnded }) => !hasEnded);
    const bytes = processInformation(alive.map((one) => ({ ...one, name: `p${one.pid}.exe` })));
    if (bytes.length > buffer.length) return { status: STATUS_INFO_LENGTH_MISMATCH, bytes: bytes.length };
    bytes.copy(buffer);
    return { status: 0, bytes: bytes.length };
  }

  queryProcess(process: Handle, _kind: number, buffer: Buffer) {
    const { commandLine } = this.#handles.get(process)!;
    if (commandLine === undefined) return { status: STATUS_INVALID_INFO_CLASS, bytes: 0 };
    const text = Buffer.from(commandLine, 'utf16le');
    buffer.writeUInt16LE(text.length, 0);
    text.copy(buffer, 16);
    return { status: 0, bytes: 16 + text.length };
  }

  addressOf = () => BASE;

  openProcess(_access: number, pid: number) {
    const found = this.processes.find((one) => one.pid === pid);
    if (found === undefined) return { errorCode: ERROR_INVALID_PARAMETER };
    if (found.isProtected) return { errorCode: ERROR_ACCESS_DENIED };
    return this.#give((handle) => this.#handles.set(handle, found));
  }

  startTimeOf = (process: Handle) => this.#handles.get(process)?.createTime;
  hasEnded = (process: Handle) => this.#handles.get(process)?.hasEnded === true;

  close(handle: Handle): void {
    if (this.jobs.has(handle)) this.terminateJob(handle);
    if (!this.#handles.delete(handle) && !this.jobs.delete(handle)) throw new Error('closed twice');
  }

  createJob(): Handle {
    return this.#give((handle) => this.jobs.set(handle, { pids: new Set() }));
  }

  setJobCpuRate(job: Handle, cpuRate: Buffer): boolean {
    if (this.refusesCpuRate) return false;
    this.jobs.get(job)!.cpuRate = cpuRate;
    return true;
  }

  setJobLimits(job: Handle, limits: Buffer): boolean {
    this.jobs.get(job)!.limits = limits;
    return true;
  }

  assignToJob(job: Handle, process: Handle): boolean {
    if (this.refusesAssignment) return false;
    this.jobs.get(job)!.pids.add(this.#handles.get(process)!.pid);
    return true;
  }

  listJob(job: Handle, buffer: Buffer): boolean {
    const pids = [...this.jobs.get(job)!.pids];
    const room = (buffer.length - 8) / 8;
    const told = pids.slice(0, room);
    buffer.writeUInt32LE(pids.length, 0);
    buffer.writeUInt32LE(told.length, 4);
    for (const [index, pid] of told.entries()) buffer.writeBigUInt64LE(BigInt(pid), 8 + index * 8);
    return told.length === pids.length;
  }

  terminateJob(job: Handle): boolean {
    const { pids } = this.jobs.get(job)!;
    const left = this.processes.filter(({ pid }) => !pids.has(pid));
    this.processes.splice(0, this.processes.length, ...left);
    pids.clear();
    return true;
  }

  #give(keep: (handle: Handle) => void): Handle {
    this.#next += 1n;
    keep(this.#next);
    return this.#next;
  }
}

/** Address at which the buffer of a test lies. */
export const BASE = 0x7ff0_0000_0000n;

interface FakeEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  readonly createTime: bigint;
  readonly userTime?: bigint;
  readonly kernelTime?: bigint;
  readonly handles?: number;
  readonly workingSet?: bigint;
  readonly privateWorkingSet?: bigint;
  readonly pagefileUsage?: bigint;
  readonly writtenBytes?: bigint;
  readonly threads?: number;
}

const HEADER_BYTES = 256;
const THREAD_BYTES = 80;

/** What NtQuerySystemInformation writes: an entry, its threads, its name, the next entry. */
export function processInformation(entries: readonly FakeEntry[]): Buffer {
  let start = 0;
  const parts = entries.map((entry, index) => {
    const bytes = toBytes(entry, start, index === entries.length - 1);
    start += bytes.length;
    return bytes;
  });
  return Buffer.concat(parts);
}

function toBytes(entry: FakeEntry, start: number, isLast: boolean): Buffer {
  const name = Buffer.from(entry.name, 'utf16le');
  const nameOffset = HEADER_BYTES + (entry.threads ?? 1) * THREAD_BYTES;
  const bytes = Buffer.alloc(nameOffset + Math.ceil((name.length + 2) / 8) * 8);
  name.copy(bytes, nameOffset);
  bytes.writeUInt32LE(isLast ? 0 : bytes.length, 0);
  bytes.writeUInt32LE(entry.threads ?? 1, 4);
  bytes.writeUInt16LE(name.length, 56);
  bytes.writeUInt32LE(entry.handles ?? 0, 96);
  const wide: readonly (readonly [number, bigint | undefined])[] = [
    [8, entry.privateWorkingSet],
    [32, entry.createTime],
    [40, entry.userTime],
    [48, entry.kernelTime],
    [64, name.length === 0 ? 0n : BASE + BigInt(start + nameOffset)],
    [80, BigInt(entry.pid)],
    [88, BigInt(entry.parentPid)],
    [144, entry.workingSet],
    [184, entry.pagefileUsage],
    [240, entry.writtenBytes],
  ];
  for (const [offset, value] of wide) bytes.writeBigUInt64LE(value ?? 0n, offset);
  return bytes;
}
