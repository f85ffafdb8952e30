/** Fields of /proc/PID/stat (proc_pid_stat(5)). */
export interface ProcStat {
  readonly line: string;
  readonly command: string;
  /** True if the process has ended and only its exit status is kept. */
  readonly isZombie: boolean;
  readonly isStopped: boolean;
  /** True if the process is in the state "tracing stop": a debugger has stopped it. */
  readonly isHeld: boolean;
  /** True if the first thread runs, waits for a processor, or waits for a disk. */
  readonly isAtWork: boolean;
  readonly ppid: number;
  readonly groupId: number;
  /** Id of the session: the pid of the process that created it. */
  readonly sessionId: number;
  readonly cpuTimeMs: number;
  readonly reapedCpuTimeMs: number;
  readonly threadCount: number;
  /** Start time of the process, in clock ticks since boot. */
  readonly startTime: string;
}

/** Milliseconds per clock tick, the unit of times in /proc. It is the same on all systems (USER_HZ), whatever the kernel uses. */
const TICK_MS = 10;

/** Parses a stat line. The program's name may contain spaces and parentheses, so only the last parenthesis ends it. */
export function parseStat(text: string): ProcStat | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  // `fields` begins after the name, with field 3. So field n in proc(5) has the index n - 3.
  const fields = text.slice(close + 2).split(' ', 20);
  const [state = '', ppid, groupId, sessionId] = fields;
  const startTime = fields[19];
  if (startTime === undefined) return undefined;
  const threadCount = Number(fields[17]);
  return {
    line: text,
    command: text.slice(open + 1, close),
    // A process whose first thread has ended has state Z while its other threads continue to run.
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

/** Memory figures of /proc/PID/status (proc_pid_status(5)). */
interface ProcMemory {
  readonly rssBytes?: number;
  readonly privateBytes?: number;
  readonly sharedBytes?: number;
}

/**
 * Parses the memory figures. They are absent for kernel threads, which have no memory of their own. Kernels before 4.5 report
 * only the total, not private and shared memory.
 */
export function parseMemory(text: string): ProcMemory {
  const rss = kibibytesAfter(text, '\nVmRSS:');
  const anonymous = kibibytesAfter(text, '\nRssAnon:');
  const file = kibibytesAfter(text, '\nRssFile:');
  const shmem = kibibytesAfter(text, '\nRssShmem:');
  if (rss === undefined) return {};
  if (anonymous === undefined || file === undefined || shmem === undefined) return { rssBytes: rss };
  return { rssBytes: rss, privateBytes: anonymous, sharedBytes: file + shmem };
}

/** Returns how often the first thread has given up or lost the processor; undefined if the kernel does not report it. */
export function parseContextSwitches(text: string): number | undefined {
  const voluntary = numberAfter(text, '\nvoluntary_ctxt_switches:');
  const forced = numberAfter(text, '\nnonvoluntary_ctxt_switches:');
  return voluntary === undefined || forced === undefined ? undefined : voluntary + forced;
}

/** Parses `wchar` of /proc/PID/io (proc_pid_io(5)): bytes passed to write(2) and similar calls, for files and pipes. */
export function parseWrittenBytes(text: string): number | undefined {
  return numberAfter(`\n${text}`, '\nwchar:');
}

function kibibytesAfter(text: string, label: string): number | undefined {
  const value = numberAfter(text, label);
  return value === undefined ? undefined : value * 1024;
}

function numberAfter(text: string, label: string): number | undefined {
  const start = text.indexOf(label);
  if (start < 0) return undefined;
  const value = Number.parseInt(text.slice(start + label.length, start + label.length + 24), 10);
  return Number.isNaN(value) ? undefined : value;
}
