import type { ProcessDetails, ProcessIdentity } from '../process-table.ts';
import type { ProcFiles } from './proc-files.ts';

/** The unit of start times in /proc is fixed for programs (USER_HZ). */
const TICK_MS = 10;

/** Reads when the machine started, in epoch milliseconds; undefined where the kernel does not report it. */
export function readBootMs(files: ProcFiles): number | undefined {
  const seconds = /^btime (\d+)$/m.exec(files.read('stat') ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Reads command line and start of one process. Each argument ends with a zero byte, and a process may overwrite them. */
export function readDetails(
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
