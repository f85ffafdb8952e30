import type { Sample } from '../../../shared/domain.ts';
import type { ProcessReading } from '../platform/process-table.ts';
import { treeMemoryBytes, treeSharedBytes, memoryOf } from '../platform/tree-memory.ts';
import { collectFacts, sumOf, type TreeFacts } from './tree-facts.ts';

/** One sample of a server: the memory, CPU use and open files of its process tree, or of its container. */
export interface TreeSample {
  readonly sample: Sample;
  readonly facts: TreeFacts;
  /** True if this describes a container. `readings` then describe the process of the container engine's client. */
  readonly isContainer?: true;
  /** Readings, root first, parents before children. */
  readonly readings: readonly ProcessReading[];
}

/**
 * Start of the current CPU measurement, and the CPU time used since then. `cpuPercent` is set only when a measurement was long
 * enough (`MIN_CPU_WINDOW_MS`) to yield a percentage.
 */
export interface CpuWindow {
  readonly startMs: number;
  readonly usedMs: number;
  readonly cpuPercent?: number;
}

/** State from one sample that is needed for the next sample of the same process tree. */
export interface TreeMemory {
  readonly account: CpuAccount;
  readonly window: CpuWindow;
}

/** Time of a sample: on the wall clock (`epochMs`) and on the monotonic clock (`nowMs`). */
export interface LookTime {
  readonly epochMs: number;
  readonly nowMs: number;
}

/** Minimum ms over which CPU use is calculated. CPU time has steps of 10 ms: over less, one step would look like a busy core. */
const MIN_CPU_WINDOW_MS = 200;

/**
 * Builds a sample of a process tree from the readings of its processes. @param memory state from the previous sample; undefined
 * for the first sample @param readings readings of all processes of the tree; contains at least the root process
 */
export function sampleTree(
  memory: TreeMemory | undefined,
  readings: readonly ProcessReading[],
  time: LookTime,
): { readonly tree: TreeSample; readonly memory: TreeMemory } {
  const { account, usedMs } = addLook(memory?.account, readings);
  const window = advanceWindow(memory?.window, usedMs, time.nowMs);
  const facts = collectFacts(readings, memory?.account.processes);
  const sample: Sample = {
    at: time.epochMs,
    ...ifKnown('memoryBytes', treeMemoryBytes(readings)),
    ...ifKnown('sharedMemoryBytes', treeSharedBytes(readings)),
    ...ifKnown('cpuPercent', window.cpuPercent),
    ...ifKnown('openFiles', sumOf(readings.map(({ openFiles }) => openFiles))),
    processCount: readings.length,
  };
  return {
    tree: { sample, facts: { ...facts, ...ifKnown('usedCpuMs', usedMs) }, readings },
    memory: { account, window },
  };
}

/**
 * Returns the CPU measurement as it continues after a sample at `nowMs`. The caller may use any clock, but always the same one.
 */
export function advanceWindow(
  before: CpuWindow | undefined,
  usedMs: number | undefined,
  nowMs: number,
): CpuWindow {
  if (before === undefined || usedMs === undefined) return { startMs: nowMs, usedMs: 0 };
  const totalMs = before.usedMs + usedMs;
  const lengthMs = nowMs - before.startMs;
  if (lengthMs < MIN_CPU_WINDOW_MS) return { startMs: before.startMs, usedMs: totalMs };
  return { startMs: nowMs, usedMs: 0, cpuPercent: (totalMs / lengthMs) * 100 };
}

/** Returns an object with the given key, or an empty one if the value is unknown, so that the key is omitted, not `undefined`. */
export function ifKnown<K extends string>(
  name: K,
  value: number | undefined,
): { readonly [N in K]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in K]?: number });
}

type ReadingsByPid = ReadonlyMap<number, ProcessReading>;

/** CPU time of a process tree as of one sample. Opaque; pass it in with the next sample. */
export interface CpuAccount {
  readonly processes: ReadingsByPid;
  /**
   * Processes that were in the previous sample but not in this one. Some of them return, because a scan may miss a process
   * whose parent changes at that moment.
   */
  readonly missing: ReadingsByPid;
  /** CPU time in ms of vanished processes that was counted while they were alive and that no parent has reaped yet. */
  readonly creditMs: number;
}

interface CpuStep {
  readonly account: CpuAccount;
  /** CPU time that the tree has used since the previous sample, in ms; undefined in the first sample. */
  readonly usedMs?: number;
}

/**
 * Adds one sample to the account of a process tree. When a process ends, its CPU time is added to the process that reaps it,
 * often some samples later, and sometimes to an ancestor that adopts orphans. Time that was already counted while the process
 * was alive therefore becomes a credit of the tree, and reaped time is counted as new only beyond this credit. If a process
 * leaves the tree without being reaped in it, its credit remains and hides the same amount of reaped time once. The result is
 * then too low, but it never has a spike.
 */
export function addLook(account: CpuAccount | undefined, readings: readonly ProcessReading[]): CpuStep {
  const processes = new Map(readings.map((reading) => [reading.pid, reading]));
  if (account === undefined) return { account: { processes, missing: new Map(), creditMs: 0 } };
  const missing = without(account.processes, processes);
  const growth = readings.map((reading) => growthOf(reading, account));
  const ownMs = sum(growth.map((one) => one.ownMs));
  const reapedMs = sum(growth.map((one) => one.reapedMs));
  const back = without(account.missing, without(account.missing, processes));
  // If a missing process returns after the credit for its time was already used up by other reaped processes, the credit falls
  // below zero. By that amount, too little time was counted before.
  const creditMs = account.creditMs + timeOf(missing) - timeOf(back);
  const coveredMs = Math.min(reapedMs, creditMs);
  return {
    account: { processes, missing, creditMs: creditMs - coveredMs },
    usedMs: ownMs + reapedMs - coveredMs,
  };
}

/**
 * Returns the CPU time that a process has used since the last reading in which it was counted. For a process without such a
 * reading, all its time counts, because it was started after the previous sample.
 */
function growthOf(reading: ProcessReading, { processes, missing }: CpuAccount) {
  const base = [processes.get(reading.pid), missing.get(reading.pid)].find(
    (one) => one?.startTime === reading.startTime,
  );
  return {
    ownMs: Math.max(0, reading.cpuTimeMs - (base?.cpuTimeMs ?? 0)),
    reapedMs: Math.max(0, reading.reapedCpuTimeMs - (base?.reapedCpuTimeMs ?? 0)),
  };
}

/** Returns the processes of `some` that are not in `others`. Compares pid and start time, because the system reuses pids. */
function without(some: ReadingsByPid, others: ReadingsByPid): ReadingsByPid {
  return new Map([...some].filter(([pid, { startTime }]) => others.get(pid)?.startTime !== startTime));
}

function timeOf(processes: ReadingsByPid): number {
  return sum([...processes.values()].map(({ cpuTimeMs, reapedCpuTimeMs }) => cpuTimeMs + reapedCpuTimeMs));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface TimedReadings {
  readonly nowMs: number;
  readonly readings: readonly ProcessReading[];
}

/** Figures of one process of a tree. Figures that could not be read are undefined. */
export interface ProcessFigures extends Pick<ProcessReading, 'pid' | 'ppid' | 'startTime' | 'command'> {
  readonly isStopped: boolean;
  readonly memoryBytes?: number;
  /** CPU use in percent of one core; undefined for a process that was not in the previous sample. */
  readonly cpuPercent?: number;
  readonly openFiles?: number;
}

/**
 * Returns the figures of each process of a sample, in the sample's order. The CPU use is that of the process itself since the
 * previous sample; that of its ended children is not included.
 */
export function processFigures(
  look: TimedReadings,
  before: TimedReadings | undefined,
): readonly ProcessFigures[] {
  const earlier = new Map(before?.readings.map((reading) => [reading.pid, reading]));
  const elapsedMs = before === undefined ? 0 : look.nowMs - before.nowMs;
  return look.readings.map((reading) => {
    const { pid, ppid, startTime, command, isStopped, openFiles, cpuTimeMs } = reading;
    const base = earlier.get(pid);
    const hasCpu = base?.startTime === startTime && elapsedMs > 0;
    return {
      pid,
      ppid,
      startTime,
      command,
      isStopped,
      ...ifKnown('memoryBytes', memoryOf(reading)),
      ...(hasCpu && { cpuPercent: (Math.max(0, cpuTimeMs - base.cpuTimeMs) / elapsedMs) * 100 }),
      ...ifKnown('openFiles', openFiles),
    };
  });
}
