/** Memory figures of /proc/PID/status (proc_pid_status(5)). */
export interface ProcMemory {
  readonly rssBytes?: number;
  readonly privateBytes?: number;
  readonly sharedBytes?: number;
}

/**
 * Parses the memory figures. They are absent for kernel threads, which have no memory, and before kernel 4.5, which mixes
 * private and shared memory.
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

/**
 * Parses how often the first thread of the process gave up or lost the processor; undefined where the kernel does not report
 * it.
 */
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
