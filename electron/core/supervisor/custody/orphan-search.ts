import { RUN_MARKER_NAME } from '../../platform/child-environment.ts';
import type { ProcessIdentity, ProcessReading, ProcessTable } from '../../platform/process-table.ts';
import type { LedgerRun } from './ledger-file.ts';

/** Living process that belongs to a recorded run. */
export interface Orphan extends ProcessIdentity {
  readonly server: string;
  readonly command: string;
  /** Process group of the orphan, proven to belong to the run. Undefined if the process has left the group of its run. */
  readonly groupPid?: number;
}

type Trees = ReadonlyMap<number, readonly ProcessReading[]>;

/**
 * Finds the living processes of `runs`, by pid: recorded processes whose start time matches, processes with a run's marker in
 * their environment, and all descendants of both. Never the panel itself, its children, or its ancestors.
 */
export async function findOrphans(
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

/** Returns the elements of `processes` that are alive. */
export async function stillAlive<T extends ProcessIdentity>(
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

/** Tree of the process; empty if its pid now belongs to another one. */
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

/** Returns the panel, its descendants, its ancestors as far as the trees show, and the groups of all of these. */
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
