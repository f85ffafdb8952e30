import type { ProcessReading } from '../platform/process-table.ts';

type ReadingsByPid = ReadonlyMap<number, ProcessReading>;

/** CPU time of a process tree as of one sample. Opaque; pass it in with the next sample. */
export interface CpuAccount {
  /** Processes of the last sample. */
  readonly processes: ReadingsByPid;
  /** Processes missing since the sample before. Some return, because a scan may miss one that changes its parent. */
  readonly missing: ReadingsByPid;
  /** CPU time of vanished processes, in ms, that was counted while they lived and not yet reaped by a parent. */
  readonly creditMs: number;
}

export interface CpuStep {
  readonly account: CpuAccount;
  /** CPU time the tree has used since the sample before, in ms; undefined in the first sample. */
  readonly usedMs?: number;
}

/**
 * Adds one sample to the account of a tree. When a process ends, its CPU time is added to the process that reaps it, often
 * some samples later, and sometimes to an ancestor that adopts orphans. Time counted while the process lived therefore
 * becomes a credit of the tree, and only reaped time beyond the credit is new. A process that leaves the tree leaves its
 * credit behind, which hides that much reaped time once: too little, never a spike.
 */
export function addLook(account: CpuAccount | undefined, readings: readonly ProcessReading[]): CpuStep {
  const processes = new Map(readings.map((reading) => [reading.pid, reading]));
  if (account === undefined) return { account: { processes, missing: new Map(), creditMs: 0 } };
  const missing = without(account.processes, processes);
  const growth = readings.map((reading) => growthOf(reading, baseOf(account, reading)));
  const ownMs = sum(growth.map((one) => one.ownMs));
  const reapedMs = sum(growth.map((one) => one.reapedMs));
  const back = without(account.missing, without(account.missing, processes));
  // The credit falls below zero when the time of a returned process was used up by others; that much was counted too little.
  const creditMs = account.creditMs + timeOf(missing) - timeOf(back);
  const coveredMs = Math.min(reapedMs, creditMs);
  return {
    account: { processes, missing, creditMs: creditMs - coveredMs },
    usedMs: ownMs + reapedMs - coveredMs,
  };
}

/** Reading up to which a process was counted; undefined for a new process, because it was born after the sample before. */
function baseOf({ processes, missing }: CpuAccount, reading: ProcessReading): ProcessReading | undefined {
  return [processes.get(reading.pid), missing.get(reading.pid)].find(
    (base) => base?.startTime === reading.startTime,
  );
}

function growthOf(reading: ProcessReading, base: ProcessReading | undefined) {
  return {
    ownMs: Math.max(0, reading.cpuTimeMs - (base?.cpuTimeMs ?? 0)),
    reapedMs: Math.max(0, reading.reapedCpuTimeMs - (base?.reapedCpuTimeMs ?? 0)),
  };
}

/** Processes of `some` that are not among `others`; an equal pid alone is not the same process. */
function without(some: ReadingsByPid, others: ReadingsByPid): ReadingsByPid {
  return new Map([...some].filter(([pid, { startTime }]) => others.get(pid)?.startTime !== startTime));
}

function timeOf(processes: ReadingsByPid): number {
  return sum([...processes.values()].map(({ cpuTimeMs, reapedCpuTimeMs }) => cpuTimeMs + reapedCpuTimeMs));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
