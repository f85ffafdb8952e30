/** What /proc/PID/status says about memory (proc_pid_status(5)). */
export interface ProcMemory {
  readonly rssBytes?: number;
  readonly privateBytes?: number;
  readonly sharedBytes?: number;
}

/** Kernel threads have no memory of their own; kernels before 4.5 do not tell private from shared. */
export function parseMemory(text: string): ProcMemory {
  const rss = kibibytesAfter(text, '\nVmRSS:');
  const anonymous = kibibytesAfter(text, '\nRssAnon:');
  const file = kibibytesAfter(text, '\nRssFile:');
  const shmem = kibibytesAfter(text, '\nRssShmem:');
  if (rss === undefined) return {};
  if (anonymous === undefined || file === undefined || shmem === undefined) return { rssBytes: rss };
  return { rssBytes: rss, privateBytes: anonymous, sharedBytes: file + shmem };
}

/** Times that the first thread has given up or lost the processor; undefined where the kernel does not tell. */
export function parseContextSwitches(text: string): number | undefined {
  const voluntary = numberAfter(text, '\nvoluntary_ctxt_switches:');
  const forced = numberAfter(text, '\nnonvoluntary_ctxt_switches:');
  return voluntary === undefined || forced === undefined ? undefined : voluntary + forced;
}

/** `wchar` of /proc/PID/io (proc_pid_io(5)): bytes handed to write(2) and its like, to files and pipes alike. */
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
