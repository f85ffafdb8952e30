import type { ProcessDetails, ProcessIdentity } from '../process-table.ts';

/** Parses a listing of `ps -o pid=,command=`; start times are those of `parsePs`, in local time. */
export function parseDetails(
  output: string,
  processes: readonly ProcessIdentity[],
): ReadonlyMap<number, ProcessDetails> {
  const startTimes = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  const details = new Map<number, ProcessDetails>();
  for (const line of output.split('\n')) {
    const [, pidText, commandLine] = /^(\d+)\s+(\S.*)$/.exec(line.trim()) ?? [];
    const pid = Number(pidText);
    const startTime = startTimes.get(pid);
    if (commandLine === undefined || startTime === undefined) continue;
    const startedAtMs = Date.parse(startTime);
    details.set(pid, { commandLine, ...(!Number.isNaN(startedAtMs) && { startedAtMs }) });
  }
  return details;
}
