import type { ProcessReading } from '../platform/process-table.ts';

type ReadingsByPid = ReadonlyMap<number, ProcessReading>;

/** The state of a tree's CPU time after a look at it. Opaque; give it to the next look. */
export interface CpuAccount {
  /** The processes of the last look. */
  readonly processes: ReadingsByPid;
  /** Processes of the look before that were missing in the last one. Some come back, because a pass may miss one that changes its parent. */
  readonly missing: ReadingsByPid;
  /** Time of vanished processes that was counted while they lived, and that nobody has reaped yet. */
  readonly creditMs: number;
}

export interface CpuStep {
  readonly account: CpuAccount;
  /** CPU time the tree has used since the look before; absent in the first one. */
  readonly usedMs?: number;
}

/**
 * Adds one look to the account of a tree. A process that ends hands its whole time to whoever waits for it, often some
 * looks later, and sometimes not to its parent but to an ancestor that adopts orphans. So what was counted while it
 * lived becomes a credit of the tree: of all growing reaped time, only what goes beyond the credit is new. A process
 * that leaves the tree leaves its credit behind, which hides that much reaped time once: too little, never a spike.
 */
export function addLook(account: CpuAccount | undefined, readings: readonly ProcessReading[]): CpuStep {
  const processes = new Map(readings.map((reading) => [reading.pid, reading]));
  if (account === undefined) return { account: { processes, missing: new Map(), creditMs: 0 } };
  const missing = without(account.processes, processes);
  const growth = readings.map((reading) => growthOf(reading, baseOf(account, reading)));
  const ownMs = sum(growth.map((one) => one.ownMs));
  const reapedMs = sum(growth.map((one) => one.reapedMs));
  const back = without(account.missing, without(account.missing, processes));
  // The credit falls below zero when one that is back had its time used up by others: then that much was counted too little.
  const creditMs = account.creditMs + timeOf(missing) - timeOf(back);
  const coveredMs = Math.min(reapedMs, creditMs);
  return {
    account: { processes, missing, creditMs: creditMs - coveredMs },
    usedMs: ownMs + reapedMs - coveredMs,
  };
}

/** The reading that a process was counted up to; none of a new one, because it was born after the look before. */
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

/** The processes of `some` that are not among `others`; an equal pid alone is not the same process. */
function without(some: ReadingsByPid, others: ReadingsByPid): ReadingsByPid {
  return new Map([...some].filter(([pid, { startTime }]) => others.get(pid)?.startTime !== startTime));
}

function timeOf(processes: ReadingsByPid): number {
  return sum([...processes.values()].map(({ cpuTimeMs, reapedCpuTimeMs }) => cpuTimeMs + reapedCpuTimeMs));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
