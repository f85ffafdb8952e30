import { readEnvironment } from './find-by-environment.ts';
import type { ProcFiles, Slices } from './proc-files.ts';
import type { ProcessReading } from '../process-table.ts';
import { listPids } from './parent-index.ts';
import { parseMemory } from './parse-stat.ts';
import { readStat } from './read-process.ts';

/** Data in /proc that only the owner of a process can read. */
export interface ProcessInside {
  /** Program and arguments, as the process currently presents them. */
  readonly argv: readonly string[];
  /** Environment with which the process was started, by name of the variable. */
  readonly environment: ReadonlyMap<string, string>;
  /** What the process's descriptors refer to, by descriptor number: `pipe:[4711]`, `/dev/null`. */
  readonly descriptors: ReadonlyMap<number, string>;
  /** True if the process is in the panel's network namespace. Only the sockets of that namespace can be listed. */
  readonly isInNetwork: boolean;
}

/**
 * Maximum number of file descriptors and maximum environment size of a process that is read. A process that exceeds one of
 * these limits is not read at all, because a scan must not take long.
 */
const MAX_DESCRIPTORS = 4096;
const MAX_ENVIRONMENT_CHARACTERS = 512 * 1024;
const LINKS_PER_PART = 50;

/** Reads the data of one process that only its owner can read; undefined if any part of the data cannot be read. */
export async function readInside(
  files: ProcFiles,
  pid: number,
  slices: Slices,
): Promise<ProcessInside | undefined> {
  const commandLine = files.read(`${pid}/cmdline`);
  const network = files.link(`${pid}/ns/net`);
  const environment = await readEnvironment(pid);
  const descriptors = await readDescriptors(files, pid, slices);
  if (commandLine === undefined || environment === undefined || descriptors === undefined) return undefined;
  if (environment.length > MAX_ENVIRONMENT_CHARACTERS) return undefined;
  return {
    argv: argumentsIn(commandLine),
    environment: variablesIn(environment),
    descriptors,
    isInNetwork: network !== undefined && network === files.link('self/ns/net'),
  };
}

/** Reads the targets of all descriptors of a process; undefined if they cannot be read. */
export async function readDescriptors(
  files: ProcFiles,
  pid: number,
  slices: Slices,
): Promise<ReadonlyMap<number, string> | undefined> {
  const numbers = files.list(`${pid}/fd`);
  if (numbers === undefined || numbers.length > MAX_DESCRIPTORS) return undefined;
  const targets = new Map<number, string>();
  for (let first = 0; first < numbers.length; first += LINKS_PER_PART) {
    const part = numbers.slice(first, first + LINKS_PER_PART);
    for (const number of part) {
      const target = files.link(`${pid}/fd/${number}`);
      if (target !== undefined) targets.set(Number(number), target);
    }
    if (slices.isFullAfter(part.length)) await slices.pause();
  }
  return targets;
}

/**
 * Splits a command line into arguments. Trailing empty arguments are dropped, because a process that overwrites its arguments,
 * as npm does, leaves zero bytes after them.
 */
function argumentsIn(commandLine: string): readonly string[] {
  const words = commandLine.split('\0');
  return words.slice(0, words.findLastIndex((word) => word !== '') + 1);
}

function variablesIn(environment: string): ReadonlyMap<string, string> {
  return new Map(
    environment.split('\0').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    }),
  );
}

/** Data of a process that every user can read in /proc. */
export interface ProcessRow extends ProcessReading {
  readonly sessionId: number;
  /** The process's real, effective, saved and file system user ids. */
  readonly userIds: readonly number[];
  /** True if the process is in the panel's pid namespace; false in a namespace of its own, such as that of a container. */
  readonly isInNamespace: boolean;
}

const READS_PER_ROW = 2;

/** Reads all live processes, in slices of about a millisecond. */
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
    // Before kernel 4.1, the field `NSpid` is absent, and every process counts as being in the namespace.
    isInNamespace: numbersAfter(status, '\nNSpid:').length < 2,
  };
}

function numbersAfter(text: string, label: string): readonly number[] {
  const start = text.indexOf(label);
  if (start < 0) return [];
  const [line = ''] = text.slice(start + label.length).split('\n', 1);
  return line.trim().split('\t').map(Number);
}
