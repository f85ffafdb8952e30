import type { ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { createChildFinder, type FindChildren } from './proc/child-finder.ts';
import { findByEnvironment, readEnvironment, type ReadEnvironment } from './proc/find-by-environment.ts';
import { OpenFileCounter } from './proc/open-file-counter.ts';
import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { READS_PER_PROCESS, readIdentity, readProcess, readStat } from './proc/read-process.ts';
import { Slices } from './proc/slices.ts';
import type { ProcStat } from './proc/parse-stat.ts';

/** What the table reads from; a test replaces all of it. */
export interface LinuxProcessSource {
  readonly files: ProcFiles;
  readonly readEnvironment: ReadEnvironment;
  /** Whose processes `findByEnvironment` looks at. */
  readonly uid: number;
}

/** The process table of Linux, read from /proc. Holds no descriptor between two calls. */
export class LinuxProcessTable implements ProcessTable {
  readonly #source: LinuxProcessSource;
  readonly #openFiles: OpenFileCounter;

  constructor(source: LinuxProcessSource = systemSource()) {
    this.#source = source;
    this.#openFiles = new OpenFileCounter(source.files);
  }

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    const { files } = this.#source;
    const findChildren = await createChildFinder(files);
    const slices = new Slices();
    this.#openFiles.beginPass();
    const trees = new Map<number, readonly ProcessReading[]>();
    for (const root of rootPids) {
      const tree = await walk(root, files, findChildren, slices, (pid, stat) =>
        readProcess(files, this.#openFiles, pid, stat),
      );
      if (tree[0]?.pid === root) trees.set(root, tree);
    }
    return trees;
  }

  identify(pid: number): Promise<ProcessIdentity | undefined> {
    return Promise.resolve(this.identifySync(pid));
  }

  identifySync(pid: number): ProcessIdentity | undefined {
    return readIdentity(this.#source.files, pid);
  }

  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    const { files } = this.#source;
    const identityOf = (found: number, { startTime }: ProcStat) => ({ pid: found, startTime });
    const tree = await walk(pid, files, await createChildFinder(files), new Slices(), identityOf);
    return tree.slice(1);
  }

  async findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]> {
    const { files, readEnvironment: read, uid } = this.#source;
    return findByEnvironment(files, read, uid, `${name}=${value}`);
  }

  dispose(): void {
    // No descriptor is kept open.
  }
}

function systemSource(): LinuxProcessSource {
  return { files: createProcFiles(), readEnvironment, uid: process.getuid?.() ?? 0 };
}

/** Breadth first, so that parents stand before their children. A process that has ended is left out, with all below it. */
async function walk<T>(
  root: number,
  files: ProcFiles,
  findChildren: FindChildren,
  slices: Slices,
  look: (pid: number, stat: ProcStat) => T | undefined,
): Promise<readonly T[]> {
  const found: T[] = [];
  // A set keeps the order, grows while it is walked, and meets no process twice.
  const pids = new Set([root]);
  for (const pid of pids) {
    const stat = readStat(files, pid);
    const item = stat && look(pid, stat);
    if (stat === undefined || item === undefined) continue;
    found.push(item);
    for (const child of findChildren(pid, stat.threadCount)) pids.add(child);
    if (slices.isFullAfter(READS_PER_PROCESS + stat.threadCount)) await slices.pause();
  }
  return found;
}
