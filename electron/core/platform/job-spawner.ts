import type { Spawner } from './spawner.ts';
import { JobObject } from './windows/job-object.ts';
import type { KernelProcesses } from './windows/kernel-processes.ts';
import type { NativeApi } from './windows/native-api.ts';

/**
 * Puts each child into a job of its own right after its spawn, before its first instruction most of the time. A child that
 * cannot be put into one is owned as without jobs.
 */
export function jobSpawner(
  spawn: Spawner,
  api: NativeApi,
  processes: Pick<KernelProcesses, 'listNow'>,
  ownPid: number = process.pid,
): Spawner {
  return async (request) => {
    const child = await spawn(request);
    const job = JobObject.create(api);
    if (job === undefined) return child;
    if (adopts(job, child.pid)) return { ...child, job };
    job.close();
    return child;
  };

  function adopts(job: JobObject, pid: number): boolean {
    try {
      return job.adopt(pid, ownPid, processes);
    } catch {
      return false; // The kernel lists no processes; the child runs all the same.
    }
  }
}
