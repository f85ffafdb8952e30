/** Fields of /proc/PID/stat (proc_pid_stat(5)). */
export interface ProcStat {
  /** The stat line as read. */
  readonly line: string;
  readonly command: string;
  /** The process has ended; only its exit status is kept. */
  readonly isZombie: boolean;
  readonly isStopped: boolean;
  /** The process is in tracing stop: a debugger holds it. */
  readonly isHeld: boolean;
  /** The first thread runs, waits for a processor, or waits for a disk. */
  readonly isAtWork: boolean;
  readonly ppid: number;
  readonly groupId: number;
  /** Id of the session: the pid of the process that began it. */
  readonly sessionId: number;
  readonly cpuTimeMs: number;
  readonly reapedCpuTimeMs: number;
  readonly threadCount: number;
  /** Start time of the process, in clock ticks since boot. */
  readonly startTime: string;
}

/** Milliseconds of the unit of every time in /proc, which is fixed for programs (USER_HZ), whatever the kernel's own tick is. */
const TICK_MS = 10;

/**
 * Parses a stat line; undefined if it is incomplete. The program's name may contain spaces and parentheses: the last
 * parenthesis ends it.
 */
export function parseStat(text: string): ProcStat | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  // Field n of proc(5) has index n - 3.
  const fields = text.slice(close + 2).split(' ', 20);
  const [state = '', ppid, groupId, sessionId] = fields;
  const startTime = fields[19];
  if (startTime === undefined) return undefined;
  const threadCount = Number(fields[17]);
  return {
    line: text,
    command: text.slice(open + 1, close),
    // A process whose first thread has ended shows Z while its other threads work on.
    isZombie: /[ZXx]/.test(state) && threadCount <= 1,
    isStopped: state === 'T',
    isHeld: state === 't',
    isAtWork: state === 'R' || state === 'D',
    ppid: Number(ppid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    cpuTimeMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    reapedCpuTimeMs: (Number(fields[13]) + Number(fields[14])) * TICK_MS,
    threadCount,
    startTime: startTime.trim(),
  };
}
