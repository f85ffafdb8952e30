import type { ProcessReading } from '../process-table.ts';
import { listPids } from './parent-index.ts';
import { parseMemory } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { readStat } from './read-process.ts';
import type { Slices } from './slices.ts';

/** What every user can read of a process in /proc. */
export interface ProcessRow extends ProcessReading {
  readonly sessionId: number;
  /** Its real, effective, saved and file system user. */
  readonly userIds: readonly number[];
  /** False within a namespace of pids of its own, as in a container. */
  readonly isInNamespace: boolean;
}

const READS_PER_ROW = 2;

/** Reads all processes that live, in slices of about a millisecond. */
export async function readRows(files: ProcFiles, slices: Slices): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const pid of listPids(files)) {
    const row = readRow(files, pid);
    if (row !== undefined) rows.push(row);
    if (slices.isFullAfter(READS_PER_ROW)) await slices.pause();
  }
  return rows;
}

function readRow(files: ProcFiles, pid: number): ProcessRow | undefined {
  const stat = readStat(files, pid);
  const status = stat && files.read(`${pid}/status`);
  if (stat === undefined || status === undefined) return undefined;
  const { startTime, ppid, groupId, sessionId, command, isStopped, isHeld, cpuTimeMs, reapedCpuTimeMs } =
    stat;
  return {
    ...{ pid, startTime, ppid, groupId, sessionId, command, isStopped, isHeld, cpuTimeMs, reapedCpuTimeMs },
    ...parseMemory(status),
    userIds: numbersAfter(status, '\nUid:'),
    // Absent before kernel 4.1.
    isInNamespace: numbersAfter(status, '\nNSpid:').length < 2,
  };
}

function numbersAfter(text: string, label: string): readonly number[] {
  const start = text.indexOf(label);
  if (start < 0) return [];
  const [line = ''] = text.slice(start + label.length).split('\n', 1);
  return line.trim().split('\t').map(Number);
}
