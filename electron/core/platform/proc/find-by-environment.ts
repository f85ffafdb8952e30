import { readFile } from 'node:fs/promises';
import type { ProcessIdentity } from '../process-table.ts';
import { listPids } from './child-finder.ts';
import type { ProcFiles } from './proc-files.ts';
import { readIdentity } from './read-process.ts';
import { Slices } from './slices.ts';

/** The environment a process was started with, or undefined where it cannot be read. */
export type ReadEnvironment = (pid: number) => Promise<string | undefined>;

/**
 * Read through the thread pool, other than the rest of /proc: the kernel takes the lock of the process's memory for
 * it, which a process in trouble may hold for seconds.
 */
export const readEnvironment: ReadEnvironment = async (pid) => {
  try {
    return await readFile(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return undefined; // ended, or not ours
  }
};

/** Live processes of user `uid` whose environment holds exactly `variable` ("NAME=value"), proc_pid_environ(5). */
export async function findByEnvironment(
  files: ProcFiles,
  read: ReadEnvironment,
  uid: number,
  variable: string,
): Promise<readonly ProcessIdentity[]> {
  const found: ProcessIdentity[] = [];
  const slices = new Slices();
  for (const pid of listPids(files)) {
    if (slices.isFullAfter(3)) await slices.pause();
    if (files.stat(String(pid))?.uid !== uid) continue;
    const identity = readIdentity(files, pid);
    if (identity === undefined || !(await read(pid))?.split('\0').includes(variable)) continue;
    // The environment must not be that of another process, which got the pid between the two reads.
    if (readIdentity(files, pid)?.startTime === identity.startTime) found.push(identity);
  }
  return found;
}
