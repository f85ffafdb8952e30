import { limitMark } from './limit-mark.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import {
  findByEnvironment,
  readEnvironment,
  type ReadEnvironment,
  isContainerMonitor,
} from './proc/find-by-environment.ts';
import { ParentIndex, createChildFinder } from './proc/parent-index.ts';
import { createProcFiles, type ProcFiles, Slices } from './proc/proc-files.ts';
import { READS_PER_PROCESS, readProcess, readStat, KnownProcesses } from './proc/read-process.ts';
import type { ProcStat } from './proc/parse-stat.ts';

interface LinuxProcessSource {
  readonly files: ProcFiles;
  readonly readEnvironment: ReadEnvironment;
  /** Id of the user whose processes `readAll` and `findByEnvironment` scan. */
  readonly uid: number;
}

/** The process table of Linux, read from /proc. Keeps no descriptor open between two calls. */
export class LinuxProcessTable implements ProcessTable {
  readonly #source: LinuxProcessSource;
  readonly #parents: ParentIndex;
  readonly #known = new KnownProcesses();

  constructor(source: LinuxProcessSource = systemSource()) {
    this.#source = source;
    this.#parents = new ParentIndex(source.files);
  }

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    if (rootPids.length === 0) return new Map();
    const { files } = this.#source;
    const children = await this.#parents.refresh();
    this.#known.beginPass();
    const readers = { files, known: this.#known };
    const walk = walkTree({
      files,
      findChildren: (pid) => children.get(pid) ?? [],
      read: (pid, stat) => readProcess(readers, pid, stat),
      onGone: (pid) => this.#parents.forgetChildrenOf(pid),
      reads: () => READS_PER_PROCESS,
    });
    const trees = new Map<number, readonly ProcessReading[]>();
    for (const root of rootPids) {
      const tree = await walk(root);
      for (const { pid, ppid } of tree) this.#parents.correct(pid, ppid);
      if (tree.length > 0) trees.set(root, markPipeHolders(files, tree));
    }
    return trees;
  }

  async readAll(): Promise<readonly ProcessReading[]> {
    const { files, uid } = this.#source;
    const children = await this.#parents.refresh();
    const listed = new Set([...children.values()].flat());
    const roots = [...children].flatMap(([parent, found]) => (listed.has(parent) ? [] : found));
    const all = [...(await this.readTrees(roots)).values()].flat();
    // The user is read from `status`, not from the owner of the folder: if a process protects its memory, as Codex does, root
    // owns its folder.
    return all.filter(
      ({ pid }) => /^Uid:\t(\d+)/m.exec(files.read(`${pid}/status`) ?? '')?.[1] === String(uid),
    );
  }

  identify(pid: number): Promise<ProcessIdentity | undefined> {
    return Promise.resolve(this.identifySync(pid));
  }

  identifySync(pid: number): ProcessIdentity | undefined {
    const stat = readStat(this.#source.files, pid);
    return stat && { pid, startTime: stat.startTime, groupId: stat.groupId };
  }

  /**
   * Finds the children of each process anew instead of using the index of parents, because no process may be missed when a run
   * is ended.
   */
  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    const { files } = this.#source;
    const walk = walkTree({
      files,
      findChildren: await createChildFinder(files),
      read: (found, { startTime, groupId }) => ({ pid: found, startTime, groupId }),
      onGone: () => undefined,
      reads: ({ threadCount }) => 1 + threadCount,
    });
    return (await walk(pid)).slice(1);
  }

  async findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]> {
    const { files, readEnvironment: read, uid } = this.#source;
    return findByEnvironment(files, read, uid, { variable: `${name}=${value}`, limit: limitMark(value) });
  }

  describe(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>> {
    const { files } = this.#source;
    const bootMs = readBootMs(files);
    return Promise.resolve(new Map(processes.map((one) => [one.pid, readDetails(files, one, bootMs)])));
  }

  dispose(): void {
    this.#parents.clear();
  }
}

function systemSource(): LinuxProcessSource {
  return { files: createProcFiles(), readEnvironment, uid: process.getuid?.() ?? 0 };
}

/** Milliseconds per clock tick. Start times in /proc are given in ticks, whose length is the same on all systems (USER_HZ). */
const TICK_MS = 10;

/** Returns the time at which the machine was started, in epoch milliseconds; undefined if the kernel does not report it. */
function readBootMs(files: ProcFiles): number | undefined {
  const seconds = /^btime (\d+)$/m.exec(files.read('stat') ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * Reads the command line and start time of a process. In /proc, each argument ends with a zero byte. The process may have
 * overwritten its arguments.
 */
function readDetails(
  files: ProcFiles,
  { pid, startTime }: ProcessIdentity,
  bootMs: number | undefined,
): ProcessDetails {
  const commandLine = files.read(`${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  return {
    ...(commandLine !== undefined && commandLine !== '' && { commandLine }),
    ...(bootMs !== undefined && { startedAtMs: bootMs + Number(startTime) * TICK_MS }),
  };
}

/** Descriptors of standard input and output; their pipes carry the messages of the MCP protocol. */
const PROTOCOL_PIPES = [0, 1] as const;

/**
 * Marks the processes that have the stdin or stdout of the tree's root open. This is done only in trees with a process that is
 * stopped by a signal or held by a debugger: if it has the pipes open, it may be the process that has to answer.
 */
export function markPipeHolders(
  files: ProcFiles,
  tree: readonly ProcessReading[],
): readonly ProcessReading[] {
  const [root] = tree;
  if (root === undefined || !tree.some(({ isStopped, isHeld }) => isStopped || isHeld)) return tree;
  const pipes = new Set(pipesOf(files, root.pid));
  if (pipes.size === 0) return tree;
  return tree.map((reading) => ({
    ...reading,
    holdsPipes: pipesOf(files, reading.pid).some((pipe) => pipes.has(pipe)),
  }));
}

function pipesOf(files: ProcFiles, pid: number): string[] {
  const links = PROTOCOL_PIPES.map((descriptor) => files.link(`${pid}/fd/${descriptor}`));
  return links.filter((link) => link !== undefined && /^(pipe|socket):/.test(link)) as string[];
}

interface TreeWalk<T> {
  readonly files: ProcFiles;
  /** Returns the pids of the children of a process that has `threadCount` threads. */
  readonly findChildren: (pid: number, threadCount: number) => readonly number[];
  /** Reads what this walk needs about a process whose stat line was just read. Undefined if the process has ended since then. */
  readonly read: (pid: number, stat: ProcStat) => T | undefined;
  readonly onGone: (pid: number) => void;
  /** Returns how many reads of /proc one process costs, so that the walk knows when to pause. */
  readonly reads: (stat: ProcStat) => number;
}

/**
 * Returns a function that walks the process trees of one pass; all trees of the pass count towards the same pauses. It walks
 * breadth first, so that parents precede their children. It omits processes that have ended, with the children that are
 * reachable only through them. It also omits the monitor processes of containers, because the container engine manages them.
 */
function walkTree<T>(walk: TreeWalk<T>): (rootPid: number) => Promise<readonly T[]> {
  const slices = new Slices();
  return async (rootPid) => {
    const found: T[] = [];
    // A set keeps the order, can grow during iteration, and visits each process only once.
    const pids = new Set([rootPid]);
    for (const pid of pids) {
      const stat = readStat(walk.files, pid);
      if (stat !== undefined && isContainerMonitor(stat)) continue;
      const item = stat && walk.read(pid, stat);
      if (stat === undefined || item === undefined) {
        walk.onGone(pid);
        continue;
      }
      found.push(item);
      for (const child of walk.findChildren(pid, stat.threadCount)) pids.add(child);
      if (slices.isFullAfter(walk.reads(stat))) await slices.pause();
    }
    return found;
  };
}
