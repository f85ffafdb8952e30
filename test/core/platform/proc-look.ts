import { readdirSync, readFileSync } from 'node:fs';

/** State of a Linux process as a test sees it. A zombie is no process. */
export interface ProcLook {
  readonly pid: number;
  readonly ppid: number;
  readonly groupId: number;
  readonly sessionId: number;
  readonly startTime: string;
  readonly commandLine: string;
}

export function lookAt(pid: number): ProcLook | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const [ppid, groupId, sessionId] = fields.slice(1, 4).map(Number) as [number, number, number];
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, ppid, groupId, sessionId, startTime: fields[19]!, commandLine };
  } catch {
    // The process ended during the look.
    return undefined;
  }
}

export function lookAtAll(): readonly ProcLook[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => lookAt(Number(pid))).filter((look) => look !== undefined);
}
