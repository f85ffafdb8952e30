import type { Spawner } from './spawner.ts';
import { JobObject } from './windows/job-object.ts';
import type { KernelProcesses } from './windows/kernel-processes.ts';
import type { NativeApi } from './windows/native-api.ts';

/**
 * Assigns each child to its own job right after its spawn, in most cases before its first instruction. A child that cannot be
 * assigned is owned like one on a system without jobs.
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
      return false; // The kernel refused to list its processes; the child runs without a job.
    }
  }
}
