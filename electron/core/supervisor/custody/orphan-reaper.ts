import type { Clock } from '../../clock.ts';
import type { ProcessIdentity, ProcessTable, ProcessReading } from '../../platform/process-table.ts';
import type { Signaller, StopSignal } from '../../platform/signals.ts';
import { holdsWithin } from '../../wait.ts';
import {
  findLedgers,
  findUnfinished,
  removeLedger,
  setLedgerAside,
  type Ledger,
  type LedgerRun,
} from './ledger-file.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { RUN_MARKER_NAME } from '../../platform/child-environment.ts';

interface OrphanReaperDeps {
  /** Folder of the ledgers (lists of the processes that each panel started), `<home>/ledger`. */
  readonly folder: string;
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly clock: Clock;
  /**
   * Id of the current boot of the system; undefined if the system does not report it. Without it, no process is ended, because
   * the listed pids may be from an earlier boot.
   */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  readonly onProblem: (message: string) => void;
}

/** Processes of one server that an earlier panel process left running. */
export interface OrphanReport {
  readonly server: string;
  readonly pids: readonly number[];
  /** Short names of the programs, each once. */
  readonly commands: readonly string[];
  readonly forceKilledPids: readonly number[];
  /** Pids of processes that did not end; the next start of the panel tries again. */
  readonly leftPids: readonly number[];
}

/** Milliseconds from SIGTERM to SIGKILL. The time is short, because the orphans' stdin was closed when their panel ended. */
const GRACE_MS = 2000;
const AFTER_KILL_MS = 2000;
const POLL_MS = 50;

/**
 * Ends the processes that earlier panel processes left running, and removes the ledgers in which these are listed. It takes no
 * longer than `GRACE_MS` and `AFTER_KILL_MS` together. It never throws: a ledger or process that cannot be read is reported and
 * left alone. Must be awaited before the first server starts, because the left processes may use the same ports, files and
 * locks.
 */
export async function reapOrphans(deps: OrphanReaperDeps): Promise<readonly OrphanReport[]> {
  try {
    await removeUnfinished(deps);
    const left = await findAbandoned(deps);
    if (left.length === 0) return [];
    const reports = await endRuns(
      deps,
      left.flatMap(({ ledger }) => ledger.runs),
    );
    if (reports.every(({ leftPids }) => leftPids.length === 0))
      for (const { path } of left) await removeLedger(path);
    return reports;
  } catch (error) {
    deps.onProblem(
      `Processes that an earlier panel may have left could not be looked up: ${messageOf(error)}`,
    );
    return [];
  }
}

/** Returns ledgers of this boot whose panel has ended. Ledgers of an earlier boot are removed; damaged ones are renamed. */
async function findAbandoned(deps: OrphanReaperDeps): Promise<{ path: string; ledger: Ledger }[]> {
  const abandoned: { path: string; ledger: Ledger }[] = [];
  for (const found of await findLedgers(deps.folder)) {
    if ('damage' in found) await putAway(deps, found.path, found.damage);
    else if (deps.bootId === undefined) continue;
    else if (found.ledger.bootId !== deps.bootId) await removeLedger(found.path);
    else if (!(await livesStill(deps.table, found.ledger.owner))) abandoned.push(found);
  }
  return abandoned;
}

async function endRuns(deps: OrphanReaperDeps, runs: readonly LedgerRun[]): Promise<readonly OrphanReport[]> {
  const { table, clock, ownPid, signaller } = deps;
  const found = new Map(await findOrphans(table, runs, ownPid));
  if (found.size === 0) return [];
  const asked = await signalAll(deps, found, 'SIGTERM');
  const areGone = async () => (await stillAlive(table, found.values())).length === 0;
  await holdsWithin(clock, areGone, { limitMs: GRACE_MS, intervalMs: POLL_MS });
  // The processes are searched again, because they may have started others before they ended.
  const stubborn = await findOrphans(table, runs, ownPid);
  for (const [pid, orphan] of stubborn) found.set(pid, orphan);
  const killed = await signalAll(deps, stubborn, 'SIGKILL');
  await holdsWithin(clock, areGone, { limitMs: AFTER_KILL_MS, intervalMs: POLL_MS });
  const forced = signaller.isAlwaysForced ? new Set([...asked, ...killed]) : killed;
  return report([...found.values()], [...forced], await stillAlive(table, found.values()));
}

/** Returns the processes that were signalled, individually or with their group. */
async function signalAll(
  { table, signaller }: OrphanReaperDeps,
  orphans: ReadonlyMap<number, Orphan>,
  signal: StopSignal,
): Promise<readonly Orphan[]> {
  const reached: Orphan[] = [];
  const groups = new Set<number>();
  for (const orphan of await stillAlive(table, orphans.values())) {
    const { pid, startTime, groupPid } = orphan;
    const isReached = groupPid !== undefined && groups.has(groupPid);
    // Where a single process can be read quickly, it is checked again right before the signal, because its pid may have been
    // reused since the last scan.
    const isRecycled = !isReached && table.identifySync && table.identifySync(pid)?.startTime !== startTime;
    if (isRecycled) continue;
    reached.push(orphan);
    if (groupPid === undefined) await signaller.signalProcess(pid, signal);
    else if (!isReached) await signaller.signalGroup(groupPid, signal);
    if (groupPid !== undefined) groups.add(groupPid);
  }
  return reached;
}

function report(
  all: readonly Orphan[],
  killed: readonly Orphan[],
  left: readonly Orphan[],
): readonly OrphanReport[] {
  const servers = [...new Set(all.map(({ server }) => server))];
  const pidsOf = (orphans: readonly Orphan[], server: string) =>
    orphans.filter((orphan) => orphan.server === server).map(({ pid }) => pid);
  return servers.map((server) => ({
    server,
    pids: pidsOf(all, server),
    commands: [...new Set(all.filter((orphan) => orphan.server === server).map(({ command }) => command))],
    forceKilledPids: pidsOf(killed, server),
    leftPids: pidsOf(left, server),
  }));
}

export async function livesStill(
  table: Pick<ProcessTable, 'identify'>,
  { pid, startTime }: ProcessIdentity,
): Promise<boolean> {
  return (await table.identify(pid))?.startTime === startTime;
}

async function putAway({ onProblem }: OrphanReaperDeps, path: string, damage: string): Promise<void> {
  const where = await setLedgerAside(path).catch(() => undefined);
  const kept = where === undefined ? 'It stays where it is.' : `It is kept as ${where}.`;
  onProblem(
    `The list of processes ${path} is damaged, so the processes in it are not ended. ${kept} (${damage})`,
  );
}

async function removeUnfinished({ folder, table }: OrphanReaperDeps): Promise<void> {
  for (const { path, ownerPid } of await findUnfinished(folder)) {
    if ((await table.identify(ownerPid)) === undefined) await removeLedger(path);
  }
}

/** Living process that belongs to a recorded run. */
interface Orphan extends ProcessIdentity {
  readonly server: string;
  readonly command: string;
  /**
   * Process group of the orphan, if it is proven to belong to the run. Undefined if the process has left the group of its run.
   */
  readonly groupPid?: number;
}

type Trees = ReadonlyMap<number, readonly ProcessReading[]>;

/**
 * Finds the living processes of `runs`, by pid: recorded processes whose start time matches, processes with a run's marker in
 * their environment, and all descendants of both. The panel itself, its children and its ancestors are excluded.
 */
async function findOrphans(
  table: ProcessTable,
  runs: readonly LedgerRun[],
  ownPid: number,
): Promise<ReadonlyMap<number, Orphan>> {
  // The runs are searched in parallel, so that a process table with slow scans needs only one scan for all runs.
  const found = await Promise.all(
    runs.map(async (run) => {
      const marked = await table.findByEnvironment(RUN_MARKER_NAME, run.marker);
      return [...recorded(run), ...marked].map((process) => ({ run, process }));
    }),
  );
  const candidates = found.flat();
  const trees = await table.readTrees([...new Set(candidates.map(({ process }) => process.pid)), ownPid]);
  const spared = relatives(trees, ownPid);
  const orphans = new Map<number, Orphan>();
  for (const { run, process } of candidates) {
    for (const reading of treeOf(trees, process)) {
      if (spared.pids.has(reading.pid)) continue;
      const isInGroup = reading.groupId === run.group?.pid && !spared.groups.has(reading.groupId);
      orphans.set(reading.pid, orphanOf(reading, run, isInGroup, orphans.get(reading.pid)));
    }
  }
  return orphans;
}

async function stillAlive<T extends ProcessIdentity>(
  table: ProcessTable,
  processes: Iterable<T>,
): Promise<readonly T[]> {
  const all = [...processes];
  const trees = await table.readTrees(all.map(({ pid }) => pid));
  return all.filter((process) => treeOf(trees, process).length > 0);
}

function recorded({ group, members }: LedgerRun): readonly ProcessIdentity[] {
  return group?.startTime === undefined
    ? members
    : [{ pid: group.pid, startTime: group.startTime }, ...members];
}

/** Returns the tree of the process; empty if its pid now belongs to another process. */
function treeOf(trees: Trees, { pid, startTime }: ProcessIdentity): readonly ProcessReading[] {
  const tree = trees.get(pid) ?? [];
  return tree[0]?.startTime === startTime ? tree : [];
}

function orphanOf(
  { pid, startTime, command, groupId }: ProcessReading,
  { server }: LedgerRun,
  isInGroup: boolean,
  known: Orphan | undefined,
): Orphan {
  const orphan = known ?? { pid, startTime, command, server };
  return isInGroup && groupId !== undefined ? { ...orphan, groupPid: groupId } : orphan;
}

/** Returns the panel, its descendants, its ancestors as far as the trees contain them, and the groups of all of these. */
function relatives(
  trees: Trees,
  ownPid: number,
): { pids: ReadonlySet<number>; groups: ReadonlySet<number | undefined> } {
  const all = new Map([...trees.values()].flat().map((reading) => [reading.pid, reading]));
  const pids = new Set([ownPid, ...(trees.get(ownPid) ?? []).map(({ pid }) => pid)]);
  for (
    let parent = all.get(ownPid)?.ppid;
    parent !== undefined && !pids.has(parent);
    parent = all.get(parent)?.ppid
  ) {
    pids.add(parent);
  }
  return { pids, groups: new Set([...pids].map((pid) => all.get(pid)?.groupId)) };
}
