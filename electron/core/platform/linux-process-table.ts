import { limitMark } from './limit-mark.ts';
import type { ProcessDetails, ProcessIdentity, ProcessReading, ProcessTable } from './process-table.ts';
import { createChildFinder } from './proc/child-finder.ts';
import { findByEnvironment, readEnvironment, type ReadEnvironment } from './proc/find-by-environment.ts';
import { KnownProcesses } from './proc/known-processes.ts';
import { ParentIndex } from './proc/parent-index.ts';
import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { markPipeHolders } from './proc/pipe-holders.ts';
import { readBootMs, readDetails } from './proc/process-details.ts';
import { READS_PER_PROCESS, readIdentity, readProcess } from './proc/read-process.ts';
import { walkTree } from './proc/walk-tree.ts';

/** Sources of the table; a test replaces all of them. */
export interface LinuxProcessSource {
  readonly files: ProcFiles;
  readonly readEnvironment: ReadEnvironment;
  /** Id of the user whose processes `findByEnvironment` scans. */
  readonly uid: number;
}

/** The process table of Linux, read from /proc. Holds no descriptor between two calls. */
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

  identify(pid: number): Promise<ProcessIdentity | undefined> {
    return Promise.resolve(this.identifySync(pid));
  }

  identifySync(pid: number): ProcessIdentity | undefined {
    return readIdentity(this.#source.files, pid);
  }

  /** Reads the current children of every process instead of a cached index, because no process may be missed when a tree is ended. */
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
