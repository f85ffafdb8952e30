import { readFile } from 'node:fs/promises';
import { readLimitMark } from '../limit-mark.ts';
import { ProcessForest } from '../process-forest.ts';
import type { ProcessIdentity } from '../process-table.ts';
import { listPids } from './parent-index.ts';
import { isOutOfSight, type ProcFiles, Slices } from './proc-files.ts';
import { readStat } from './read-process.ts';
import type { ProcStat } from './parse-stat.ts';

/** Reads the environment that a process was started with; undefined if it is not readable. @throws as `ProcFiles` does */
export type ReadEnvironment = (pid: number) => Promise<string | undefined>;

/**
 * Reads in the thread pool, unlike the other readers of /proc. To read an environment, the kernel locks the process's memory,
 * and it may wait seconds for that lock.
 */
export const readEnvironment: ReadEnvironment = async (pid) => {
  try {
    return await readFile(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    if (isOutOfSight(error)) return undefined;
    throw error;
  }
};

const READS_PER_LOOK = 4;
/** Maximum number of environments read concurrently. Each waits for a thread of the pool, longest on a busy machine. */
const READS_AT_ONCE = 8;

/** Marks that identify the processes of one run; one of the two is enough. */
interface RunMarks {
  /** The run's environment variable as `NAME=value`, see proc_pid_environ(5). */
  readonly variable: string;
  /** Mark in the resource limits, see `limitMark`. */
  readonly limit: string;
}

interface FoundProcess extends ProcessIdentity, Pick<ProcStat, 'command' | 'ppid' | 'groupId'> {
  readonly groupId: number;
}

/**
 * Returns the live processes of the user `uid` whose environment contains exactly `variable`, or whose resource limits contain
 * `limit`. Leaves out containers.
 */
export async function findByEnvironment(
  files: ProcFiles,
  read: ReadEnvironment,
  uid: number,
  { variable, limit }: RunMarks,
): Promise<readonly ProcessIdentity[]> {
  const pids = listPids(files);
  const found: (FoundProcess | undefined)[] = [];
  const slices = new Slices();
  const look = async (pid: number) => {
    if (files.stat(String(pid))?.uid !== uid) return undefined;
    const stat = readStat(files, pid);
    if (stat === undefined) return undefined;
    const isMarked =
      readLimitMark(files.read(`${pid}/limits`) ?? '') === limit ||
      (await read(pid))?.split('\0').includes(variable);
    if (!isMarked) return undefined;
    // The process is left out if another process has reused the pid between the reads.
    if (readStat(files, pid)?.startTime !== stat.startTime) return undefined;
    const { startTime, groupId, command, ppid } = stat;
    return { pid, startTime, groupId, command, ppid };
  };
  for (let first = 0; first < pids.length; first += READS_AT_ONCE) {
    const group = pids.slice(first, first + READS_AT_ONCE);
    if (slices.isFullAfter(READS_PER_LOOK * group.length)) await slices.pause();
    found.push(...(await Promise.all(group.map(look))));
  }
  const marked = outsideContainers(found.filter((process) => process !== undefined));
  return marked.map(({ pid, startTime, groupId }) => ({ pid, startTime, groupId }));
}

/** Name of the program with which podman monitors a container. If this monitor is killed, podman lists the container forever. */
export const CONTAINER_MONITOR = 'conmon';

export const isContainerMonitor = ({ command }: Pick<ProcStat, 'command'>): boolean =>
  command === CONTAINER_MONITOR;

/**
 * Returns the processes of `marked` that belong to no container: they are neither a container monitor nor a descendant of one.
 * A monitor that a run started has the run's mark, because children inherit it. A monitor without the mark is ignored, because
 * the panel itself may run in a container.
 */
function outsideContainers(marked: readonly FoundProcess[]): readonly FoundProcess[] {
  const forest = new ProcessForest(marked);
  return marked.filter((process) => ![process, ...forest.above(process.pid)].some(isContainerMonitor));
}
