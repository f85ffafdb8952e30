/** Fields of /proc/PID/stat (proc_pid_stat(5)). */
export interface ProcStat {
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

/** The program's name may contain spaces and parentheses: the last parenthesis ends it. */
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

/** Memory figures of /proc/PID/status (proc_pid_status(5)). */
interface ProcMemory {
  readonly rssBytes?: number;
  readonly privateBytes?: number;
  readonly sharedBytes?: number;
}

/** Absent for kernel threads, which have no memory, and before kernel 4.5, which mixes private and shared. */
export function parseMemory(text: string): ProcMemory {
  const rss = kibibytesAfter(text, '\nVmRSS:');
  const anonymous = kibibytesAfter(text, '\nRssAnon:');
  const file = kibibytesAfter(text, '\nRssFile:');
  const shmem = kibibytesAfter(text, '\nRssShmem:');
  if (rss === undefined) return {};
  if (anonymous === undefined || file === undefined || shmem === undefined) return { rssBytes: rss };
  return { rssBytes: rss, privateBytes: anonymous, sharedBytes: file + shmem };
}

/** How often the first thread gave up or lost the processor; undefined where the kernel does not report it. */
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
