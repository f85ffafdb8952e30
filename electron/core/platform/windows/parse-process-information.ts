import type { ProcessReading } from '../process-table.ts';
import { startTimeOfFileTime } from './start-time.ts';

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
/** Size of an entry's header; its threads follow. */
const HEADER_BYTES = 256;
const TIME_UNITS_PER_MS = 10_000;

/**
 * Parses the output of NtQuerySystemInformation(SystemProcessInformation) in `bytes`, whose address is `base`. Skips the idle
 * process; an entry outside of `bytes` ends the list.
 */
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
 * Returns resident memory, private and shared, as on Linux: Task Manager shows the private part as "Memory". Where the system
 * does not report it (wine), the committed bytes replace it, and the shared part is unknown.
 */
function memoryOf(
  rssBytes: number,
  privateWorkingSet: number,
  committed: number,
): Pick<ProcessReading, 'privateBytes' | 'sharedBytes'> {
  if (privateWorkingSet === 0) return { privateBytes: committed };
  return { privateBytes: privateWorkingSet, sharedBytes: Math.max(0, rssBytes - privateWorkingSet) };
}

/** Reads the name, which follows the threads of its entry. Empty where it lies outside of `bytes`. */
function nameOf(entry: Buffer, bytes: Buffer, base: bigint): string {
  const from = entry.readBigUInt64LE(OFFSET.nameAddress) - base;
  const to = from + BigInt(entry.readUInt16LE(OFFSET.nameBytes));
  if (from < 0n || to > BigInt(bytes.length)) return '';
  return bytes.toString('utf16le', Number(from), Number(to));
}
