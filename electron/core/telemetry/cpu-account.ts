import type { ProcessReading } from '../platform/process-table.ts';

/** What is known of a tree's CPU time after a look at it. Opaque; give it to the next look. */
export interface CpuAccount {
  /** By pid: the processes of the last look. */
  readonly processes: ReadonlyMap<number, ProcessReading>;
  /** Those of the look before that were missing in the last one: some come back, since a pass may miss a process that moves. */
  readonly missing: ReadonlyMap<number, ProcessReading>;
  /** By pid of the heir: time of vanished processes that was counted already, and will show up in the heir's reaped time. */
  readonly creditMs: ReadonlyMap<number, number>;
}

export interface CpuStep {
  readonly account: CpuAccount;
  /** CPU time the tree has used since the look before; absent in the first one. */
  readonly usedMs?: number;
}

/**
 * Adds one look to the account of a tree. A process that ends hands its whole time to the parent that waits for it,
 * sometimes several looks later, and one that leaves the tree hands over nothing. So what was counted while it lived
 * becomes a credit of its heir: of the heir's growing reaped time, only what goes beyond the credit is new.
 */
export function addLook(account: CpuAccount | undefined, readings: readonly ProcessReading[]): CpuStep {
  const processes = new Map(readings.map((reading) => [reading.pid, reading]));
  if (account === undefined) return { account: { processes, missing: new Map(), creditMs: new Map() } };
  const missing = findMissing(account, processes);
  const creditMs = moveCredits(account, missing, processes);
  let usedMs = 0;
  for (const reading of readings) usedMs += usedBy(reading, baseOf(account, reading), creditMs);
  return { account: { processes, missing, creditMs }, usedMs };
}

/** What was already counted of a process: nothing of one that is new, since it was born after the look before. */
function baseOf({ processes, missing }: CpuAccount, reading: ProcessReading): ProcessReading | undefined {
  return [processes.get(reading.pid), missing.get(reading.pid)].find(
    (base) => base?.startTime === reading.startTime,
  );
}

function usedBy(
  reading: ProcessReading,
  base: ProcessReading | undefined,
  creditMs: Map<number, number>,
): number {
  const ownMs = Math.max(0, reading.cpuTimeMs - (base?.cpuTimeMs ?? 0));
  const reapedMs = Math.max(0, reading.reapedCpuTimeMs - (base?.reapedCpuTimeMs ?? 0));
  const coveredMs = Math.min(reapedMs, creditMs.get(reading.pid) ?? 0);
  if (coveredMs > 0) creditMs.set(reading.pid, (creditMs.get(reading.pid) ?? 0) - coveredMs);
  return ownMs + reapedMs - coveredMs;
}

function findMissing(
  { processes }: CpuAccount,
  now: ReadonlyMap<number, ProcessReading>,
): Map<number, ProcessReading> {
  return new Map([...processes].filter(([pid, { startTime }]) => now.get(pid)?.startTime !== startTime));
}

/**
 * Passes on the credit of everything that has vanished: to the nearest ancestor that is still there, else to nobody.
 * A process that was missing in the last look only, and is back, takes its own credit away again.
 */
function moveCredits(
  account: CpuAccount,
  missing: ReadonlyMap<number, ProcessReading>,
  now: ReadonlyMap<number, ProcessReading>,
): Map<number, number> {
  const creditMs = new Map<number, number>();
  const add = (heir: number, ms: number) => creditMs.set(heir, Math.max(0, (creditMs.get(heir) ?? 0) + ms));
  for (const [pid, ms] of account.creditMs) add(heirOf(pid, missing), ms);
  for (const [pid, reading] of missing) add(heirOf(pid, missing), timeOf(reading));
  const everMissing = new Map([...account.missing, ...missing]);
  for (const [pid, reading] of account.missing) {
    if (now.get(pid)?.startTime === reading.startTime) add(heirOf(pid, everMissing), -timeOf(reading));
  }
  return new Map([...creditMs].filter(([pid, ms]) => ms > 0 && now.has(pid)));
}

/** The first one up the line of parents, `pid` included, that is not missing. */
function heirOf(pid: number, missing: ReadonlyMap<number, ProcessReading>): number {
  let heir = pid;
  // Bounded: a pid that was given away again could close a circle.
  for (let step = 0; step <= missing.size; step += 1) heir = missing.get(heir)?.ppid ?? heir;
  return heir;
}

function timeOf({ cpuTimeMs, reapedCpuTimeMs }: ProcessReading): number {
  return cpuTimeMs + reapedCpuTimeMs;
}
