import { basename } from 'node:path';
import type { ProcessIdentity, ProcessReading } from '../process-table.ts';
import { parseStat, type ProcStat } from './parse-stat.ts';
import { parseStatus, parseWrittenBytes } from './parse-status.ts';
import type { OpenFileCounter } from './open-file-counter.ts';
import type { ProcFiles } from './proc-files.ts';

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

/** Node.js (since 23) names its first thread so, and with it each of its processes, which tells nobody anything. */
const NODE_MAIN_THREAD = 'MainThread';

function commandOf(files: ProcFiles, pid: number, { command }: ProcStat): string {
  if (command !== NODE_MAIN_THREAD) return command;
  const program = files.link(`${pid}/exe`);
  return program === undefined ? command : basename(program.replace(/ \(deleted\)$/, ''));
}

/** Everything about a live process, whose stat line was read a moment ago. Undefined when it has ended since. */
export function readProcess(
  files: ProcFiles,
  counter: OpenFileCounter,
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
    command: commandOf(files, pid, stat),
    isStopped: stat.isStopped,
    cpuTimeMs: stat.cpuTimeMs,
    reapedCpuTimeMs: stat.reapedCpuTimeMs,
    ...parseStatus(status),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(writtenBytes === undefined ? {} : { writtenBytes }),
  };
}
