import type { ProcessIdentity, ProcessReading } from '../process-table.ts';
import { parseStat, type ProcStat } from './parse-stat.ts';
import { parseStatus, parseWrittenBytes } from './parse-status.ts';
import type { OpenFileCounter } from './open-file-counter.ts';
import type { ProcFiles } from './proc-files.ts';
import type { ProgramNames } from './program-names.ts';

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

/** What a pass reads with. */
export interface ProcessReaders {
  readonly files: ProcFiles;
  readonly openFiles: OpenFileCounter;
  readonly names: ProgramNames;
}

/** Everything about a live process, whose stat line was read a moment ago. Undefined when it has ended since. */
export function readProcess(
  { files, openFiles: counter, names }: ProcessReaders,
  pid: number,
  stat: ProcStat,
): ProcessReading | undefined {
  const status = files.read(`${pid}/status`);
  if (status === undefined) return undefined;
  const openFiles = counter.count(pid, stat.startTime);
  const writtenBytes = parseWrittenBytes(files.read(`${pid}/io`) ?? '');
  return {
    pid,
    startTime: stat.startTime,
    ppid: stat.ppid,
    groupId: stat.groupId,
    command: names.nameOf(pid, stat),
    isStopped: stat.isStopped,
    ...(stat.isAtWork && { isAtWork: true }),
    cpuTimeMs: stat.cpuTimeMs,
    reapedCpuTimeMs: stat.reapedCpuTimeMs,
    ...parseStatus(status),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(writtenBytes === undefined ? {} : { writtenBytes }),
  };
}
