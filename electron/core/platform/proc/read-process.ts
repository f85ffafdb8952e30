import type { ProcessReading } from '../process-table.ts';
import {
  parseStat,
  type ProcStat,
  parseContextSwitches,
  parseMemory,
  parseWrittenBytes,
} from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { basename } from 'node:path';

/** Number of files that `readProcess` reads, not counting the lists of children. */
export const READS_PER_PROCESS = 4;

/** Reads the stat line of a live process; undefined for a zombie and for a missing process. */
export function readStat(files: ProcFiles, pid: number): ProcStat | undefined {
  const stat = parseStat(files.read(`${pid}/stat`) ?? '');
  return stat === undefined || stat.isZombie ? undefined : stat;
}

/** Maximum number of samples per full reading. New ones are needed, because opening a file does not change the stat line. */
const LOOKS_PER_READING = 5;

interface ProcessReaders {
  readonly files: ProcFiles;
  readonly known: KnownProcesses;
}

/**
 * Returns all figures of a live process whose stat line was just read. Returns undefined if the process has ended since then.
 * If the stat line is unchanged, the last reading is returned: memory cannot grow without a page fault, and other figures
 * cannot change without CPU time, and the stat line counts both. All that this can miss is less than 10 ms of work, and files
 * opened during it. Written bytes are read each time, because they show whether the process is at work.
 */
export function readProcess(
  { files, known: processes }: ProcessReaders,
  pid: number,
  stat: ProcStat,
): ProcessReading | undefined {
  const known = processes.of(pid, stat.startTime);
  const writtenBytes = parseWrittenBytes(files.read(`${pid}/io`) ?? '');
  const kept = keptReading(known, stat);
  // Returns the same object while nothing changes, because a hundred idle servers are sampled each second.
  if (kept && kept.writtenBytes === writtenBytes) return kept;
  const figures = kept && writtenBytes !== undefined ? kept : readAnew(files, pid, stat, known);
  const reading = figures && writtenBytes !== undefined ? { ...figures, writtenBytes } : figures;
  if (reading !== undefined) known.reading = { statLine: stat.line, reading };
  return reading;
}

/**
 * Returns the last full reading if it is still valid. Returns undefined for a stopped process, because only its context
 * switches, which are not in the stat line, show whether it ran.
 */
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
  // Processes that appeared together begin with different values, so that their full readings are not all made in the same
  // sample.
  known.looks = known.reading === undefined ? pid % LOOKS_PER_READING : 0;
  return reading;
}

/**
 * Counts the open files of a process, without the placeholders: descriptors that the panel replaced by /dev/null at the spawn
 * (see `withoutInheritance`). Placeholders are counted only once, at the first sample; later counts take one `stat`. Undefined
 * if the process is gone or not readable.
 */
function countOpenFiles(files: ProcFiles, pid: number, known: KnownProcess): number | undefined {
  const all = countAll(files, pid);
  if (all === undefined) return undefined;
  known.placeholders ??= countPlaceholders(files, pid);
  return Math.max(0, all - known.placeholders);
}

/**
 * Counts all open files. Since Linux 6.2, the size of the `fd` folder is the number of open files; reading it is three times
 * cheaper than listing the folder. In earlier versions the size is 0, and the folder is listed.
 */
function countAll(files: ProcFiles, pid: number): number | undefined {
  const size = files.stat(`${pid}/fd`)?.size ?? 0;
  return size > 0 ? size : files.list(`${pid}/fd`)?.length;
}

function countPlaceholders(files: ProcFiles, pid: number): number {
  const numbers = files.list(`${pid}/fd`) ?? [];
  const isPlaceholder = (number: string) => files.link(`${pid}/fd/${number}`) === '/dev/null';
  return numbers.filter((number) => Number(number) > 2 && isPlaceholder(number)).length;
}

/** Name of the first thread in Node.js since version 23; it is the same for all Node.js processes. */
export const NODE_MAIN_THREAD = 'MainThread';

/** Returns the short name of a program. The name of a Node.js process is read from its `exe` link, once, because that is slow. */
function nameOfProgram(files: ProcFiles, pid: number, { command }: ProcStat, known: KnownProcess): string {
  if (command !== NODE_MAIN_THREAD) return command;
  const name = known.programName ?? readName(files, pid);
  if (name === undefined) return command;
  known.programName = name;
  return name;
}

function readName(files: ProcFiles, pid: number): string | undefined {
  const program = files.link(`${pid}/exe`);
  return program && basename(program.replace(/ \(deleted\)$/, ''));
}

/** Data of one process that is kept from sample to sample. */
interface KnownProcess {
  /** Number of descriptors that are placeholders (/dev/null) for descriptors of the panel; see `countOpenFiles`. */
  placeholders?: number;
  /** Name of the process's program (`nameOfProgram`). */
  programName?: string;
  /** The last reading, and the stat line from which it was made. Only the reading's written bytes may be newer than that line. */
  reading?: { readonly statLine: string; readonly reading: ProcessReading };
  /** Number of samples since the last full reading. */
  looks: number;
}

/** Keeps data about the processes of the last pass. The key is the pid with the start time, because pids are reused. */
export class KnownProcesses {
  /** Processes of the last full pass; `#seen` contains those of the current one. Both are by pid and start time. */
  #known = new Map<string, KnownProcess>();
  #seen = new Map<string, KnownProcess>();

  /** Begins a pass over all processes. Data of processes that did not appear in the previous pass is dropped. */
  beginPass(): void {
    this.#known = this.#seen;
    this.#seen = new Map();
  }

  /** Returns the data that is kept for a process; empty for a new one. */
  of(pid: number, startTime: string): KnownProcess {
    const key = `${pid} ${startTime}`;
    const known = this.#known.get(key) ?? this.#seen.get(key) ?? { looks: 0 };
    this.#seen.set(key, known);
    return known;
  }
}
