import type { ProcessIdentity, ProcessReading } from '../process-table.ts';
import type { Handle, NativeApi } from './native-api.ts';

const SYSTEM_PROCESS_INFORMATION = 5;
const PROCESS_COMMAND_LINE_INFORMATION = 60;
const STATUS_SUCCESS = 0;
const STATUS_INFO_LENGTH_MISMATCH = 0xc0000004;
const ERROR_INVALID_PARAMETER = 87;

const QUERY_LIMITED_INFORMATION = 0x1000;
const SYNCHRONIZE = 0x100000;

const FIRST_LIST_BYTES = 512 * 1024;
/** Maximum bytes of the process list; enough for a few hundred thousand processes. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;
/** Bytes of a UNICODE_STRING header, and of the header plus the longest command line that Windows allows. */
const STRING_HEADER_BYTES = 16;
const COMMAND_LINE_BYTES = STRING_HEADER_BYTES + 65_536;

/** Reads processes from the kernel. One call lists all of them in a few milliseconds; identifying one takes microseconds. */
export class KernelProcesses implements WindowsProcessSource {
  readonly #api: NativeApi;
  #buffer = Buffer.alloc(0);

  constructor(api: NativeApi) {
    this.#api = api;
  }

  list(): Promise<readonly ProcessReading[]> {
    return Promise.resolve(this.listNow());
  }

  /** Lists all processes synchronously. @throws if the kernel refuses */
  listNow(): readonly ProcessReading[] {
    if (this.#buffer.length === 0) this.#buffer = Buffer.alloc(FIRST_LIST_BYTES);
    for (;;) {
      const { status, bytes } = this.#api.querySystem(SYSTEM_PROCESS_INFORMATION, this.#buffer);
      const size = this.#buffer.length;
      if (status === STATUS_SUCCESS) {
        return parseProcessInformation(this.#buffer.subarray(0, bytes), this.#api.addressOf(this.#buffer));
      }
      if (status !== STATUS_INFO_LENGTH_MISMATCH || size >= MAX_LIST_BYTES)
        throw new Error(`Windows does not list its processes (status 0x${status.toString(16)})`);
      // Requests more bytes than reported, because processes start between the two calls.
      this.#buffer = Buffer.alloc(Math.min(MAX_LIST_BYTES, Math.max(2 * size, 2 * bytes)));
    }
  }

  identify(pid: number): ProcessIdentity | undefined {
    const opened = this.#api.openProcess(QUERY_LIMITED_INFORMATION | SYNCHRONIZE, pid);
    if (typeof opened !== 'bigint') {
      // Any other error code means that the process may exist but cannot be opened, so it is searched for in the process list.
      return opened.errorCode === ERROR_INVALID_PARAMETER ? undefined : this.#identifyInList(pid);
    }
    return this.#closing(opened, () => {
      const fileTime = this.#api.hasEnded(opened) ? undefined : this.#api.startTimeOf(opened);
      return fileTime === undefined ? undefined : { pid, startTime: startTimeOfFileTime(fileTime) };
    });
  }

  /** Returns the command line; undefined if the process or the system (before Windows 8.1) does not provide it. */
  commandLine(pid: number): string | undefined {
    const opened = this.#api.openProcess(QUERY_LIMITED_INFORMATION, pid);
    if (typeof opened !== 'bigint') return undefined;
    return this.#closing(opened, () => {
      const buffer = Buffer.alloc(COMMAND_LINE_BYTES);
      const { status } = this.#api.queryProcess(opened, PROCESS_COMMAND_LINE_INFORMATION, buffer);
      if (status !== STATUS_SUCCESS) return undefined;
      const end = STRING_HEADER_BYTES + buffer.readUInt16LE(0);
      return buffer.toString('utf16le', STRING_HEADER_BYTES, end).trim() || undefined;
    });
  }

  dispose(): void {
    this.#buffer = Buffer.alloc(0);
  }

  #identifyInList(pid: number): ProcessIdentity | undefined {
    const found = this.listNow().find((reading) => reading.pid === pid);
    return found && { pid, startTime: found.startTime };
  }

  #closing<T>(handle: Handle, task: () => T): T {
    try {
      return task();
    } finally {
      this.#api.close(handle);
    }
  }
}

/** Offsets in SYSTEM_PROCESS_INFORMATION of a 64-bit Windows, the same on x64 and arm64. */
const OFFSET = {
  next: 0,
  privateWorkingSet: 8,
  createTime: 32,
  userTime: 40,
  kernelTime: 48,
  nameBytes: 56,
  nameAddress: 64,
  pid: 80,
  parentPid: 88,
  handles: 96,
  workingSet: 144,
  pagefileUsage: 184,
  writtenBytes: 240,
} as const;
/** Bytes of an entry's header, which is followed by the threads of the process. */
const HEADER_BYTES = 256;
const TIME_UNITS_PER_MS = 10_000;

/** Parses SystemProcessInformation in `bytes`, at address `base`. An entry outside of `bytes` ends the list. */
export function parseProcessInformation(bytes: Buffer, base: bigint): readonly ProcessReading[] {
  const readings: ProcessReading[] = [];
  let start = 0;
  while (start + HEADER_BYTES <= bytes.length) {
    const entry = bytes.subarray(start);
    const reading = readEntry(entry, nameOf(entry, bytes, base));
    if (reading.pid !== 0) readings.push(reading);
    const next = entry.readUInt32LE(OFFSET.next);
    if (next === 0) break;
    start += next;
  }
  return readings;
}

function readEntry(entry: Buffer, command: string): ProcessReading {
  const number = (offset: number) => Number(entry.readBigUInt64LE(offset));
  const rssBytes = number(OFFSET.workingSet);
  return {
    pid: number(OFFSET.pid),
    ppid: number(OFFSET.parentPid),
    startTime: startTimeOfFileTime(entry.readBigUInt64LE(OFFSET.createTime)),
    command,
    isStopped: false,
    isHeld: false,
    cpuTimeMs: (number(OFFSET.userTime) + number(OFFSET.kernelTime)) / TIME_UNITS_PER_MS,
    reapedCpuTimeMs: 0,
    rssBytes,
    ...memoryOf(rssBytes, number(OFFSET.privateWorkingSet), number(OFFSET.pagefileUsage)),
    openFiles: entry.readUInt32LE(OFFSET.handles),
    writtenBytes: number(OFFSET.writtenBytes),
  };
}

/**
 * Returns resident memory, private and shared, as on Linux; Task Manager shows the private part as "Memory". If the system does
 * not report the private part (wine), the committed bytes replace it, and the shared part is unknown.
 */
function memoryOf(
  rssBytes: number,
  privateWorkingSet: number,
  committed: number,
): Pick<ProcessReading, 'privateBytes' | 'sharedBytes'> {
  if (privateWorkingSet === 0) return { privateBytes: committed };
  return { privateBytes: privateWorkingSet, sharedBytes: Math.max(0, rssBytes - privateWorkingSet) };
}

/** Reads the name of a process, which follows the threads of its entry. Empty if the name is outside of `bytes`. */
function nameOf(entry: Buffer, bytes: Buffer, base: bigint): string {
  const from = entry.readBigUInt64LE(OFFSET.nameAddress) - base;
  const to = from + BigInt(entry.readUInt16LE(OFFSET.nameBytes));
  if (from < 0n || to > BigInt(bytes.length)) return '';
  return bytes.toString('utf16le', Number(from), Number(to));
}

/** Ticks (100 ns) from the year 1, the epoch of .NET, to 1601, the epoch of FILETIME. */
const TICKS_AT_1601 = 504_911_232_000_000_000n;
const TICKS_AT_1970 = 621_355_968_000_000_000n;
/** Units of 100 ns, the resolution of the kernel, in a microsecond, the resolution of CIM. */
const UNITS_PER_MICROSECOND = 10n;
const TICKS_PER_MS = 10_000n;

/** Converts the kernel's start time to the format of `PowerShellProcesses`, because records may come from either of the two. */
function startTimeOfFileTime(fileTime: bigint): string {
  const whole = fileTime - (fileTime % UNITS_PER_MICROSECOND);
  return String(whole + TICKS_AT_1601);
}

export function epochMsOfTicks(ticks: string): number {
  return Number((BigInt(ticks) - TICKS_AT_1970) / TICKS_PER_MS);
}

export interface WindowsProcessSource {
  list(): Promise<readonly ProcessReading[]>;
  /** Returns the process that currently has this pid. Absent if the source would have to list all processes to answer. */
  identify?(pid: number): ProcessIdentity | undefined;
  /** Returns program and arguments of a process. The method is absent if they are expensive to read. */
  commandLine?(pid: number): string | undefined;
  readonly leastIntervalMs?: number;
  dispose(): void;
}
