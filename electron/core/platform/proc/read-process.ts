import type { ProcessIdentity, ProcessReading } from '../process-table.ts';
import { parseStat, type ProcStat } from './parse-stat.ts';
import { parseContextSwitches, parseMemory, parseWrittenBytes } from './parse-status.ts';
import type { KnownProcess, KnownProcesses } from './known-processes.ts';
import { countOpenFiles } from './count-open-files.ts';
import type { ProcFiles } from './proc-files.ts';
import { nameOfProgram } from './program-name.ts';

/** How many files `readProcess` looks at, beside the lists of children. */
export const READS_PER_PROCESS = 4;

/** The stat line of a live process; undefined for a zombie and where there is none. */
export function readStat(files: ProcFiles, pid: number): ProcStat | undefined {
  const stat = parseStat(files.read(`${pid}/stat`) ?? '');
  return stat === undefined || stat.isZombie ? undefined : stat;
}

export function readIdentity(files: ProcFiles, pid: number): ProcessIdentity | undefined {
  const stat = readStat(files, pid);
  return stat === undefined ? undefined : { pid, startTime: stat.startTime, groupId: stat.groupId };
}

/** Looks that one whole reading serves for at most: opening a file leaves no trace in the stat line. */
const LOOKS_PER_READING = 5;

/** What a pass reads with. */
export interface ProcessReaders {
  readonly files: ProcFiles;
  readonly known: KnownProcesses;
}

/**
 * Everything about a live process, whose stat line was read a moment ago. Undefined when it has ended since.
 *
 * Its memory cannot grow without a page fault, nor anything else of it change without processor time, and the stat line
 * counts both: while it stays the same to the letter, what was read before is still true, but for less than 10 ms of work
 * and for files opened in it. What it writes is read each time, because that tells whether it is at work.
 */
export function readProcess(
  { files, known: processes }: ProcessReaders,
  pid: number,
  stat: ProcStat,
): ProcessReading | undefined {
  const known = processes.of(pid, stat.startTime);
  const writtenBytes = parseWrittenBytes(files.read(`${pid}/io`) ?? '');
  const reading = keptReading(known, stat) ?? readAnew(files, pid, stat, known);
  return reading === undefined || writtenBytes === undefined
    ? reading
    : withWritten(reading, writtenBytes, known);
}

/** The same object as long as nothing is new, because a hundred servers that wait are looked at each second. */
function withWritten(reading: ProcessReading, writtenBytes: number, known: KnownProcess): ProcessReading {
  const { told } = known;
  if (told?.of === reading && told.reading.writtenBytes === writtenBytes) return told.reading;
  known.told = { of: reading, reading: { ...reading, writtenBytes } };
  return known.told.reading;
}

/** None of a stopped process: that it ran between two looks may show in nothing but its context switches. */
function keptReading(known: KnownProcess, { line, isStopped }: ProcStat): ProcessReading | undefined {
  known.looks += 1;
  if (isStopped) return undefined;
  return known.looks < LOOKS_PER_READING && known.reading?.statLine === line
    ? known.reading.reading
    : undefined;
}

function readAnew(
  files: ProcFiles,
  pid: number,
  stat: ProcStat,
  known: KnownProcess,
): ProcessReading | undefined {
  const status = files.read(`${pid}/status`);
  if (status === undefined) return undefined;
  const openFiles = countOpenFiles(files, pid, known);
  const contextSwitches = stat.isStopped ? parseContextSwitches(status) : undefined;
  const reading: ProcessReading = {
    pid,
    startTime: stat.startTime,
    ppid: stat.ppid,
    groupId: stat.groupId,
    command: nameOfProgram(files, pid, stat, known),
    isStopped: stat.isStopped,
    isHeld: stat.isHeld,
    ...(stat.isAtWork && { isAtWork: true }),
    cpuTimeMs: stat.cpuTimeMs,
    reapedCpuTimeMs: stat.reapedCpuTimeMs,
    ...parseMemory(status),
    ...(contextSwitches === undefined ? {} : { contextSwitches }),
    ...(openFiles === undefined ? {} : { openFiles }),
  };
  // New processes come in crowds, and are not to be read anew in crowds for ever.
  known.looks = known.reading === undefined ? pid % LOOKS_PER_READING : 0;
  known.reading = { statLine: stat.line, reading };
  return reading;
}
